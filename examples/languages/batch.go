// Converts files of mail by one septet: go run batch.go OUT FILE…  OUT is a folder; a line for each file says what was done.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	program := os.Getenv("SEPTET")
	if program == "" {
		program = "septet"
	}
	septet := exec.Command(program, "filter", "--batch")
	septet.Stderr = os.Stderr
	to, _ := septet.StdinPipe()
	pipe, _ := septet.StdoutPipe()
	must(septet.Start())
	from := bufio.NewReader(pipe)
	for _, file := range os.Args[2:] {
		message, err := os.ReadFile(file)
		must(err)
		request, err := json.Marshal(map[string]any{"length": len(message), "profile": "utf8"})
		must(err)
		_, err = to.Write(append(append(request, '\n'), message...))
		must(err)
		line, err := from.ReadBytes('\n')
		must(err)
		var answer struct {
			Result, Error string
			Length        int
			Report        []struct{ Text string }
		}
		must(json.Unmarshal(line, &answer))
		octets := make([]byte, answer.Length)
		_, err = io.ReadFull(from, octets)
		must(err)
		must(os.WriteFile(filepath.Join(os.Args[1], filepath.Base(file)), octets, 0o666))
		texts := []string{}
		for _, entry := range answer.Report {
			texts = append(texts, entry.Text)
		}
		fmt.Printf("%s: %s %s\n", file, answer.Result, answer.Error+strings.Join(texts, "; "))
	}
	to.Close()
	must(septet.Wait())
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
