# MIME-tools: MIME::Parser for the tree and the files, Mail::Address for the names, and MIME::EncWords, which its documents
# name for words; a text is decoded by Encode, by the charset that the part's head has. Mail::Address gives a phrase with its
# quotation marks, and its `name` gives nothing where a word is encoded: the marks are taken off here.

use strict;
use warnings;

use Encode;
use JSON::PP;
use MIME::EncWords;
use MIME::Parser;
use Mail::Address;

binmode STDIN;
$| = 1;
$SIG{__WARN__} = sub { };
my $json = JSON::PP->new->ascii->canonical;
my $parser = MIME::Parser->new;
$parser->output_to_core(1);
$parser->tmp_to_core(1);

sub words {
    my ($text) = @_;
    return undef if !defined $text;
    chomp $text;
    $text =~ s/\r?\n(?=[ \t])//g;
    return scalar(MIME::EncWords::decode_mimewords($text, Charset => '_UNICODE_', Detect7bit => 'NO'));
}

sub text {
    my ($part) = @_;
    my $octets = $part->bodyhandle ? $part->bodyhandle->as_string : return undef;
    my $charset = $part->head->mime_attr('content-type.charset') || 'us-ascii';
    return eval { decode($charset, $octets, Encode::FB_CROAK | Encode::LEAVE_SRC) };
}

sub unquoted {
    my ($phrase) = @_;
    $phrase =~ s/\\(.)/$1/g if $phrase =~ s/^"(.*)"$/$1/s;
    return $phrase;
}

sub names {
    my ($head, $field) = @_;
    return [map { scalar(words(unquoted($_->phrase))) } map { Mail::Address->parse($_) } $head->get($field)];
}

sub seen {
    my $message = $parser->parse_data($_[0]);
    my $head = $message->head;
    my @parts = ($message, $message->parts_DFS);
    @parts = @parts[1 .. $#parts];
    my @texts = grep { $_->effective_type =~ m{^text/} } @parts;
    return {
        tree => [map { lc $_->mime_type } @parts],
        fields => undef,
        subject => scalar(words(scalar($head->get('Subject', 0)))),
        comments => scalar(words(scalar($head->get('Comments', 0)))),
        names => { map { $_ => names($head, $_) } qw(from sender to cc reply-to) },
        addresses => [map { $_->address } map { Mail::Address->parse($_) } $head->get('From')],
        files => [grep { defined } map { scalar(words($_->head->recommended_filename)) } @parts],
        texts => [map { text($_) } @texts],
    };
}

while (defined(my $length = <STDIN>)) {
    read(STDIN, my $octets, $length);
    my $answer = eval { seen($octets) }
        // { tree => [], fields => [], names => {}, addresses => [], files => [], texts => [], error => "$@" };
    print $json->encode($answer), "\n";
    $parser->filer->purge;
}
