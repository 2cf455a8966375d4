<?php
// PHP: mailparse for the tree, the addresses and the names of files, iconv_mime_decode for words, as the manual has them.
// A text is decoded by mailparse_msg_extract_part and then by iconv, with the charset that the part's data name.

// iconv_mime_decode drops what is not ASCII, so that a text without words does not go through it.
function words($text)
{
    if (!is_string($text) || !str_contains($text, '=?')) {
        return is_string($text) ? $text : null;
    }
    $shown = @iconv_mime_decode($text, ICONV_MIME_DECODE_CONTINUE_ON_ERROR, 'UTF-8');
    return $shown === false ? $text : $shown;
}

function field($headers, $name)
{
    $value = $headers[$name] ?? null;
    return is_array($value) ? $value[0] : $value;
}

function people($headers, $name)
{
    $value = field($headers, $name);
    return is_string($value) ? @mailparse_rfc822_parse_addresses($value) : [];
}

// It gives the address itself for the name of a mailbox that has none.
function names($headers, $name)
{
    $name_of = fn($it) => $it['display'] === $it['address'] ? null : words($it['display']);
    return array_map($name_of, people($headers, $name));
}

function text($part, $octets, $data)
{
    ob_start();
    mailparse_msg_extract_part($part, $octets);
    $body = ob_get_clean();
    $text = @iconv($data['charset'] ?? 'us-ascii', 'UTF-8', $body);
    return $text === false ? null : $text;
}

function seen($octets)
{
    $message = mailparse_msg_create();
    mailparse_msg_parse($message, $octets);
    $headers = mailparse_msg_get_part_data($message)['headers'] ?? [];
    $people = ['from', 'sender', 'to', 'cc', 'reply-to'];
    $answer = [
        'tree' => [],
        'fields' => null,
        'subject' => words(field($headers, 'subject')),
        'comments' => words(field($headers, 'comments')),
        'names' => array_combine($people, array_map(fn($it) => names($headers, $it), $people)),
        'addresses' => array_column(people($headers, 'from'), 'address'),
        'files' => [],
        'texts' => [],
    ];
    foreach (mailparse_msg_get_structure($message) as $number) {
        $part = mailparse_msg_get_part($message, $number);
        $data = mailparse_msg_get_part_data($part);
        $type = strtolower($data['content-type'] ?? 'text/plain');
        $answer['tree'][] = $type;
        $file = $data['disposition-filename'] ?? $data['content-name'] ?? null;
        if ($file !== null) {
            $answer['files'][] = words($file);
        }
        if (str_starts_with($type, 'text/')) {
            $answer['texts'][] = text($part, $octets, $data);
        }
    }
    mailparse_msg_free($message);
    return $answer;
}

while (($length = fgets(STDIN)) !== false) {
    $octets = (int) $length > 0 ? stream_get_contents(STDIN, (int) $length) : '';
    try {
        $answer = seen($octets);
    } catch (Throwable $why) {
        $answer = ['tree' => [], 'names' => new stdClass, 'addresses' => [], 'files' => [], 'texts' => []];
        $answer['error'] = $why->getMessage();
    }
    echo json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
    flush();
}
