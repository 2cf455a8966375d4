// Reads mail with Go's standard library: net/mail, mime and mime/multipart. It knows UTF-8, US-ASCII and ISO-8859-1 alone, and
// does not say in which order fields stand.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"strings"
)

type answer struct {
	Tree      []string             `json:"tree"`
	Fields    []string             `json:"fields"`
	Subject   *string              `json:"subject"`
	Comments  *string              `json:"comments"`
	Names     map[string][]*string `json:"names"`
	Addresses []string             `json:"addresses"`
	Files     []string             `json:"files"`
	Texts     []*string            `json:"texts"`
	Error     string               `json:"error,omitempty"`
}

var words mime.WordDecoder

// header is what mail.Header and textproto.MIMEHeader have in common.
type header interface{ Get(string) string }

// text returns what a field of text shows, or nil if there is none or a word of it can't be read.
func text(fields mail.Header, name string) *string {
	if value, err := words.DecodeHeader(fields.Get(name)); err == nil && len(fields[name]) > 0 {
		return &value
	}
	return nil
}

func (shown *answer) mailboxes(fields mail.Header) {
	for _, name := range []string{"From", "Sender", "To", "Cc", "Reply-To"} {
		list, err := fields.AddressList(name)
		if err != nil {
			continue
		}
		names := []*string{}
		for _, mailbox := range list {
			if name == "From" {
				shown.Addresses = append(shown.Addresses, mailbox.Address)
			}
			if mailbox.Name == "" {
				names = append(names, nil)
			} else {
				names = append(names, &mailbox.Name)
			}
		}
		shown.Names[strings.ToLower(name)] = names
	}
}

// parameter returns a parameter of a field; an encoded-word in it is decoded, as the other fields are.
func parameter(fields header, field, name string) string {
	_, parameters, _ := mime.ParseMediaType(fields.Get(field))
	if decoded, err := words.DecodeHeader(parameters[name]); err == nil {
		return decoded
	}
	return parameters[name]
}

func (shown *answer) part(fields header, body io.Reader) {
	kind, parameters, err := mime.ParseMediaType(fields.Get("Content-Type"))
	if err != nil && kind == "" {
		kind = "text/plain"
	}
	shown.Tree = append(shown.Tree, kind)
	if name := parameter(fields, "Content-Disposition", "filename"); name != "" {
		shown.Files = append(shown.Files, name)
	} else if name := parameter(fields, "Content-Type", "name"); name != "" {
		shown.Files = append(shown.Files, name)
	}
	switch strings.ToLower(fields.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		parts := multipart.NewReader(body, parameters["boundary"])
		for inner, err := parts.NextRawPart(); err == nil; inner, err = parts.NextRawPart() {
			shown.part(inner.Header, inner)
		}
	case kind == "message/rfc822":
		if inner, err := mail.ReadMessage(body); err == nil {
			shown.part(inner.Header, inner.Body)
		}
	case strings.HasPrefix(kind, "text/"):
		octets, _ := io.ReadAll(body)
		shown.Texts = append(shown.Texts, decoded(octets, strings.ToLower(parameters["charset"])))
	}
}

func decoded(octets []byte, charset string) *string {
	text := string(octets)
	switch charset {
	case "", "utf-8", "us-ascii":
	case "iso-8859-1":
		characters := []rune{}
		for _, octet := range octets {
			characters = append(characters, rune(octet))
		}
		text = string(characters)
	default:
		return nil
	}
	return &text
}

func seen(octets []byte) answer {
	shown := answer{Tree: []string{}, Names: map[string][]*string{}, Addresses: []string{}, Files: []string{}, Texts: []*string{}}
	message, err := mail.ReadMessage(bytes.NewReader(octets))
	if err != nil {
		shown.Error = err.Error()
		return shown
	}
	shown.Subject, shown.Comments = text(message.Header, "Subject"), text(message.Header, "Comments")
	shown.mailboxes(message.Header)
	shown.part(message.Header, message.Body)
	return shown
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for length := 0; ; {
		if _, err := fmt.Fscanf(input, "%d\n", &length); err != nil {
			return
		}
		octets := make([]byte, length)
		if _, err := io.ReadFull(input, octets); err != nil {
			return
		}
		output.Encode(seen(octets))
	}
}
