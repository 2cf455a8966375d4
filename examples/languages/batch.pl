#!/usr/bin/env perl
# Converts files of mail by one septet: batch.pl OUT FILE…  OUT is a folder; a line for each file says what was done.
use strict;
use warnings;
use IPC::Open2;
use JSON::PP;

my ($out, @files) = @ARGV;
die "usage: batch.pl OUT FILE...\n" unless @files;
my $septet = open2(my $from, my $to, $ENV{SEPTET} // 'septet', 'filter', '--batch');
binmode $_ for $to, $from;

for my $file (@files) {
    open my $in, '<:raw', $file or die "$file: $!\n";
    my $mail = do { local $/; <$in> } // '';
    print $to encode_json({ length => length $mail, profile => 'utf8' }), "\n", $mail;
    $to->flush;

    my $answer = decode_json(<$from> // die "septet ended\n");
    my $length = $answer->{length};
    read($from, my $made, $length) == $length or die "septet ended\n";
    open my $copy, '>:raw', "$out/" . ($file =~ s{.*/}{}r) or die "$out: $!\n";
    print $copy $made;
    close $copy or die "$out: $!\n";
    my $text = $answer->{error} // join '; ', map { $_->{text} } @{ $answer->{report} };
    print "$file: $answer->{result} $text\n";
}

close $to;
waitpid $septet, 0;
exit($? >> 8);
