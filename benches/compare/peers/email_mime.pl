# Reads a mailbox, has Email::MIME make every text UTF-8, and writes the mailbox again.
#
# perl email_mime.pl <in.mbox >out.mbox
use strict;
use warnings;
use Email::MIME;

sub convert {
    my ($part) = @_;
    return unless ($part->content_type // 'text/plain') =~ m{^text/}i;
    my $text = eval { $part->body_str };
    return unless defined $text;
    $part->charset_set('utf-8');
    $part->encoding_set('quoted-printable');
    $part->body_str_set($text);
}

sub write_message {
    my ($from, $raw) = @_;
    my $message = Email::MIME->new($raw);
    $message->walk_parts(sub { convert($_[0]) if $_[0]->subparts == 0 });
    my $written = $message->as_string;
    $written =~ s/^(>*From )/>$1/mg;
    print $from, $written, "\n";
}

binmode STDIN;
binmode STDOUT;
my ($from, $raw) = ('', '');
while (my $line = <STDIN>) {
    if ($line =~ /^From /) {
        write_message($from, $raw) if $from ne '';
        ($from, $raw) = ($line, '');
    } else {
        $raw .= $line;
    }
}
write_message($from, $raw) if $from ne '';
