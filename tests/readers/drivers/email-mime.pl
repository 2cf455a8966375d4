# Email::MIME, with Email::Address::XS for addresses, as its header_as_obj gives them.

use strict;
use warnings;

use Email::Address::XS;
use Email::MIME;
use JSON::PP;

binmode STDIN;
$| = 1;
$SIG{__WARN__} = sub { };
my $json = JSON::PP->new->ascii->canonical;

sub tried {
    my ($work) = @_;
    my @found = eval { $work->() };
    return wantarray ? @found : $found[0];
}

sub parts {
    my ($part) = @_;
    return ($part, map { parts($_) } grep { $_ != $part } tried(sub { $part->subparts }));
}

sub names {
    my ($message, $field) = @_;
    return [map { $_->phrase } tried(sub { map { $_->addresses } $message->header_as_obj($field) })];
}

sub media {
    my ($part) = @_;
    my ($type) = ($part->content_type // '') =~ m{^\s*([^;\s]+)};
    return lc($type // 'text/plain');
}

sub seen {
    my $message = Email::MIME->new($_[0]);
    my @parts = parts($message);
    my @texts = grep { media($_) =~ m{^text/} } @parts;
    return {
        tree => [map { media($_) } @parts],
        fields => [map { lc } tried(sub { $message->header_obj->header_names })],
        subject => scalar(tried(sub { $message->header_str('Subject') })),
        comments => scalar(tried(sub { $message->header_str('Comments') })),
        names => { map { $_ => names($message, $_) } qw(from sender to cc reply-to) },
        addresses => [map { $_->address } tried(sub { map { $_->addresses } $message->header_as_obj('From') })],
        files => [grep { defined } map { my $part = $_; scalar(tried(sub { $part->filename })) } @parts],
        texts => [map { my $part = $_; scalar(tried(sub { $part->body_str })) } @texts],
    };
}

while (defined(my $length = <STDIN>)) {
    read(STDIN, my $octets, $length);
    my $answer = eval { seen($octets) }
        // { tree => [], fields => [], names => {}, addresses => [], files => [], texts => [], error => "$@" };
    print $json->encode($answer), "\n";
}
