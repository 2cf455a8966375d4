"""Python's mailbox, and Perl's Mail::Box."""

import mailbox

from boxes import Seen, files, marks, subject
from calling import copy, run


PYTHON_MESSAGES = {mailbox.mbox: mailbox.mboxMessage, mailbox.MMDF: mailbox.MMDFMessage, mailbox.MH: mailbox.MHMessage,
                   mailbox.Maildir: mailbox.MaildirMessage}


def python_make(kind):
    def make(source, folder):
        box = kind(folder / "box")
        for file in files(source):
            message = mailbox.MaildirMessage(file.read_bytes())
            message.set_subdir(file.parent.name)
            message.set_flags(marks(file, {})[0])
            box.add(PYTHON_MESSAGES[kind](message))
        box.close()
        return folder / "box"

    return make


def python_seen(kind):
    def see(path, folder):
        # MMDF's file comes back as an mbox.
        is_mbox = kind is mailbox.MMDF and not path.read_bytes().startswith(b"\1\1\1\1")
        box = (mailbox.mbox if is_mbox else kind)(copy(path, folder / "given"), create=False)
        seen = []
        for key in sorted(box.keys(), key=str if kind is mailbox.Maildir else int):
            as_maildir = mailbox.MaildirMessage(box[key])
            words = getattr(box[key], "get_sequences", list)()
            known = tuple(sorted(it for it in words if it not in ("cur", "unseen", "flagged", "replied", "others")))
            seen.append(Seen(subject(box.get_bytes(key)), as_maildir.get_flags(), known))
        return seen

    return see


PERL_COPY = """use Mail::Box::Manager; my ($from, $kind, $to, $form) = @ARGV;
my $all = Mail::Box::Manager->new(folderdir => '/nonexistent');
my $in = $all->open(folder => $from, type => $kind, access => 'r', keep_dups => 1);
my $out = $all->open(folder => $to, type => $form, create => 1, access => 'rw', keep_dups => 1);
$_->copyTo($out) for $in->messages; $out->close(write => 'ALWAYS'); $in->close(write => 'NEVER');"""


def perl_make(form):
    def make(source, folder):
        run("perl", "-e", PERL_COPY, source, "maildir", folder / "box", form)
        return folder / "box"

    return make


PERL_LIST = """use Mail::Box::Manager; my ($path, $form) = @ARGV;
my $box = Mail::Box::Manager->new->open(folder => $path, type => $form, access => 'r', keep_dups => 1);
my @of = ([D => 'draft'], [F => 'flagged'], [P => 'passed'], [R => 'replied'], [S => 'seen'], [T => 'deleted']);
for my $m ($box->messages) {
    printf "%s|%s\\n", join('', map { $m->label($_->[1]) ? $_->[0] : () } @of), $m->head->get('Subject') // '';
}
$box->close(write => 'NEVER');"""


def perl_seen(form):
    def see(path, folder):
        said = run("perl", "-e", PERL_LIST, copy(path, folder / "given"), form).decode("utf-8", "replace")
        lines = [line.partition("|") for line in said.splitlines() if "|" in line]
        return [Seen(text.strip()[:24].strip(), letters) for letters, _, text in lines]

    return see


def mbox_of_python(source, folder):
    """The mbox that other programs begin with."""
    return python_make(mailbox.mbox)(source, folder)
