"""Holds what arrived at the next hop against what was sent and what the clients were told."""
import collections, email, email.policy, re


def judge(setup, protocol, sent, kept, promises):
    arrived = collections.defaultdict(list)
    for one in kept:
        promises.check(one.number in sent, "nothing arrives that was not sent", setup, one.mail, one.raw[:200])
        arrived[one.number].append(one)
    for number, message in sent.items():
        copies = arrived.get(number, [])
        promises.check(len(copies) < 2, "nothing arrives twice", setup, number, [one.log for one in copies])
        for one in copies:
            same_envelope(setup, message, one, promises)
            same_content(setup, message, one, promises)
        if message.replies and not message.gone:
            told = told_each if protocol == "lmtp" else told_once
            told(setup, message, copies, promises)


def same_envelope(setup, message, one, promises):
    whole = message.gone in ("refused chunk",) or message.accepted == one.recipients
    promises.check(whole, "the recipients are those that were accepted", setup, message.number, message.accepted, one.recipients, one.log)
    promises.check(message.gone != "middle", "half a message is none", setup, message.number, message.kind)


def same_content(setup, message, one, promises):
    wanted = message.raw
    if not is_clean(wanted):
        promises.check(setup == "repair", "bare line ends are refused", setup, message.number, wanted[-200:])
        wanted = re.sub(rb"\r\n|\r|\n", b"\r\n", wanted)
    if wanted and not wanted.endswith(b"\r\n"):
        wanted += b"\r\n"
    if one.raw == wanted:
        return
    carried = b"8BITMIME" in one.keywords and b"SMTPUTF8" in one.keywords
    needed = setup == "always" or (not wanted.isascii() and not carried)
    promises.check(needed or setup == "repair" and not wanted.isascii(), "octets stay that can stay", setup, message.number,
                   message.kind, wanted[:300], one.raw[:300], one.keywords)
    same_text(setup, message, wanted, one.raw, promises)


def same_text(setup, message, wanted, raw, promises):
    before, after = (email.message_from_bytes(octets, policy=email.policy.default) for octets in (wanted, raw))
    if message.kind in ("8bit", "utf-8 header"):
        promises.check(before.get_content() == after.get_content(), "the text stays", setup, wanted[-300:], raw[-400:])
    if message.kind in ("8bit", "utf-8 header", "raw 8-bit"):
        promises.check(str(before["message-id"]) == str(after["message-id"]), "the Message-ID stays", setup, message.number)


def is_clean(raw):
    return not re.search(rb"\r(?!\n)|(?<!\r)\n", raw)


def told_once(setup, message, copies, promises):
    """SMTP: one reply for all recipients."""
    facts = (setup, message.number, message.replies, [(one.taken, one.unheard, one.log) for one in copies])
    taken = {tag for one in copies for tag in one.taken}
    if message.replies[0] == 250:
        promises.check(taken >= set(message.accepted), "what is accepted is with the next hop", *facts)
    else:
        heard = any(one.taken and not one.unheard for one in copies)
        promises.check(not heard, "what the next hop took is not refused", *facts)


def told_each(setup, message, copies, promises):
    """LMTP: a reply for each recipient."""
    facts = (setup, message.number, message.replies, [(one.taken, one.unheard, one.log) for one in copies])
    taken = {tag for one in copies for tag in one.taken}
    for tag, code in zip(message.accepted, message.replies):
        if code == 250:
            promises.check(tag in taken, "what is accepted is with the next hop", tag, *facts)
        elif not any(one.unheard for one in copies):
            promises.check(tag not in taken, "what the next hop took is not refused", tag, *facts)
