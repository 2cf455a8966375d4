"""The programs whose mailboxes go there and back: how each makes one, and what it sees in one.

`make(source, folder)` has the program copy the Maildir `source` into its own form, below `folder`, and returns where.
`see(path, folder)` returns what the program sees there, as `boxes.Seen`, in its order; `folder` is empty, for what it needs.
"""

import mailbox
from dataclasses import dataclass

from calling import copy_source
from converters import has_plain_body, lei_make, lei_seen, mailutil_make, mailutil_seen, mailutils_seen, movemail_make
from delivery import delivered, fdm_make, fdm_seen, formail_make, getmail, maildrop, procmail, split_by
from dovecot import dovecot_exported, dovecot_make, dovecot_seen
from fixtures import apple_make, apple_seen, thunderbird_make, thunderbird_seen
from libraries import perl_make, perl_seen, python_make, python_seen
from mail_programs import ends_a_line, mutt_make, mutt_seen, snail_make, snail_seen
from maildirs import mblaze_mbox, mblaze_mbox_seen, mblaze_seen, mbsync, mbsync_seen, mu_seen, notmuch_seen
from nmh import MH, ends_a_plain_line, nmh_folder, nmh_folder_seen, nmh_packed, nmh_seen


@dataclass(frozen=True)
class Program:
    """A program and one of the forms that it writes and reads."""

    name: str
    form: str  # mbox, mmdf, maildir, mh or eml
    command: str  # what must be there
    make: object
    see: object
    is_sorted: bool = True  # false where its order is that of a disk, or of numbers in names, which septet reads as text
    fits: object = None  # says of a message whether the program can read it in what it writes; all, where it is none
    dialect: str = "mboxrd"  # in which it has a mailbox file back that went through another


PROGRAMS = [
    Program("dovecot mbox", "mbox", "doveadm", dovecot_make("mbox"), dovecot_seen("mbox"), dialect="mboxcl2"),
    Program("dovecot maildir", "maildir", "doveadm", dovecot_make("maildir"), dovecot_seen("maildir"), False),
    Program("dovecot sdbox", "maildir", "doveadm", dovecot_exported, dovecot_seen("maildir"), False),
    *(Program(f"lei {it}", "mbox", "lei", lei_make(it), lei_seen(it), False, dialect=it)
      for it in ("mboxo", "mboxrd", "mboxcl", "mboxcl2")),
    *(Program(f"mailutils {it}", it, "movemail.mailutils", movemail_make(it), mailutils_seen(it), it != "maildir", has_plain_body)
      for it in ("mbox", "maildir", "mh")),
    Program("nmh packf", "mbox", f"{MH}/inc", nmh_packed(), nmh_seen, fits=ends_a_plain_line),
    Program("nmh packf -mmdf", "mmdf", f"{MH}/inc", nmh_packed("-mmdf"), nmh_seen, fits=ends_a_plain_line),
    Program("nmh folder", "mh", f"{MH}/inc", nmh_folder, nmh_folder_seen),
    Program("mailutil unix", "mbox", "mailutil", mailutil_make("unix"), mailutil_seen),
    Program("mailutil mmdf", "mmdf", "mailutil", mailutil_make("mmdf"), mailutil_seen),
    *(Program(f"{name} {form}", form.lower(), name, mutt_make(name, form), mutt_seen(name), (name, form) == ("mutt", "mbox"))
      for name in ("mutt", "neomutt") for form in ("mbox", "Maildir", "MH")),
    *(Program(f"{name} MMDF", "mmdf", name, mutt_make(name, "MMDF"), mutt_seen(name), name == "mutt", fits=ends_a_line)
      for name in ("mutt", "neomutt")),
    Program("s-nail mbox", "mbox", "s-nail", snail_make("file"), snail_seen("file")),
    Program("s-nail maildir", "maildir", "s-nail", snail_make("maildir"), snail_seen("maildir")),
    Program("procmail mbox", "mbox", "procmail", delivered(procmail("box"), "box"), split_by("formail", "-Y"),
            fits=ends_a_plain_line),
    Program("procmail maildir", "maildir", "procmail", delivered(procmail("md/"), "md"), mblaze_seen, False),
    Program("procmail mh", "mh", "procmail", delivered(procmail("mh/."), "mh"), nmh_folder_seen),
    Program("formail", "mbox", "formail", formail_make, split_by("formail", "-Y"), fits=ends_a_plain_line),
    Program("maildrop mbox", "mbox", "maildrop", delivered(maildrop("box"), "box"), split_by("reformail")),
    Program("maildrop maildir", "maildir", "maildrop", delivered(maildrop("md"), "md"), mblaze_seen, False),
    Program("getmail maildir", "maildir", "getmail_maildir", delivered(getmail("md"), "md"), mblaze_seen, False),
    Program("fdm mbox", "mbox", "fdm", fdm_make("mbox"), fdm_seen("mbox"), False),
    Program("fdm maildir", "maildir", "fdm", fdm_make("maildir"), fdm_seen("maildir"), False),
    Program("mblaze mexport", "mbox", "mexport", mblaze_mbox, mblaze_mbox_seen),
    Program("mblaze maildir", "maildir", "mlist", copy_source, mblaze_seen),
    Program("mbsync", "maildir", "mbsync", mbsync, mbsync_seen, False),
    Program("notmuch", "maildir", "notmuch", copy_source, notmuch_seen),
    Program("mu", "maildir", "mu", copy_source, mu_seen),
    Program("python mbox", "mbox", "python3", python_make(mailbox.mbox), python_seen(mailbox.mbox)),
    Program("python MMDF", "mmdf", "python3", python_make(mailbox.MMDF), python_seen(mailbox.MMDF)),
    Program("python Maildir", "maildir", "python3", python_make(mailbox.Maildir), python_seen(mailbox.Maildir), False),
    Program("python MH", "mh", "python3", python_make(mailbox.MH), python_seen(mailbox.MH)),
    *(Program(f"Mail::Box {it}", it, "/usr/share/perl5/Mail/Box.pm", perl_make(it), perl_seen(it))
      for it in ("mbox", "maildir", "mh")),
    Program("Thunderbird", "mbox", "python3", thunderbird_make, thunderbird_seen),
    Program("Apple Mail", "emlx", "python3", apple_make, apple_seen),
]
