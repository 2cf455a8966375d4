#!/usr/bin/env php
<?php
// Converts files of mail by one septet: batch.php OUT FILE…  OUT is a folder; a line for each file says what was done.
[$out, $files] = [$argv[1] ?? null, array_slice($argv, 2)];
if (!$files) {
    fwrite(STDERR, "usage: batch.php OUT FILE...\n");
    exit(64);
}
$command = [getenv('SEPTET') ?: 'septet', 'filter', '--batch'];
$septet = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
[$to, $from] = $pipes;

foreach ($files as $file) {
    $mail = file_get_contents($file);
    $request = json_encode(['length' => strlen($mail), 'profile' => 'utf8'], JSON_THROW_ON_ERROR);
    fwrite($to, "$request\n$mail");
    fflush($to);

    $answer = json_decode(fgets($from) ?: throw new Exception('septet ended'), true, 512, JSON_THROW_ON_ERROR);
    $made = $answer['length'] ? stream_get_contents($from, $answer['length']) : '';
    if (strlen($made) !== $answer['length']) {
        throw new Exception('septet ended');
    }
    file_put_contents("$out/" . basename($file), $made);
    $text = $answer['error'] ?? implode('; ', array_column($answer['report'], 'text'));
    echo "$file: {$answer['result']} $text\n";
}

fclose($to);
exit(proc_close($septet));
