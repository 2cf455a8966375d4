// vmime: its parser of messages, with support of internationalized mail, getConvertedText for words, and extract and
// charset::convert for texts.

#include <vmime/platforms/posix/posixHandler.hpp>
#include <vmime/contentDispositionField.hpp>
#include <vmime/contentTypeField.hpp>
#include <vmime/vmime.hpp>

#include "answer.h"

using std::string;

static const vmime::charset UTF8("utf-8");

static string shown(const vmime::text &text) { return text.getConvertedText(UTF8); }

static void show_text_of(vmime::shared_ptr<vmime::header> header, const char *name, const char *field)
{
	key(name);
	auto text = header->findFieldValue<vmime::text>(field);
	item(text ? shown(*text).c_str() : nullptr);
}

static void show(const vmime::mailbox &mailbox, bool is_name)
{
	string said = is_name ? shown(mailbox.getName()) : mailbox.getEmail().toString();
	item(is_name && mailbox.getName().isEmpty() ? nullptr : said.c_str());
}

static void show_people(vmime::shared_ptr<vmime::header> header, const char *name, const char *field, bool is_name)
{
	key(name);
	open_with('[');
	if (header->hasField(field)) {
		auto value = header->findField(field)->getValue();
		if (auto list = vmime::dynamicCast<vmime::addressList>(value))
			for (auto &one : list->toMailboxList()->getMailboxList())
				show(*one, is_name);
		else if (auto list = vmime::dynamicCast<vmime::mailboxList>(value))
			for (auto &one : list->getMailboxList())
				show(*one, is_name);
		else if (auto one = vmime::dynamicCast<vmime::mailbox>(value))
			show(*one, is_name);
	}
	close_with(']');
}

enum Wanted { TREE, FILES, TEXTS };

static void show_file(vmime::shared_ptr<vmime::header> header)
{
	auto disposition = header->findField<vmime::contentDispositionField>("Content-Disposition");
	auto type = header->findField<vmime::contentTypeField>("Content-Type");
	if (disposition && disposition->hasParameter("filename"))
		item(disposition->getFilename().getConvertedText(UTF8).c_str());
	else if (type && type->hasParameter("name"))
		item(type->getParameter("name")->getValue().getConvertedText(UTF8).c_str());
}

static void show_body(vmime::shared_ptr<vmime::body> body)
{
	string octets, text;
	bool is_text = false;
	try {
		vmime::utility::outputStreamStringAdapter out(octets);
		body->getContents()->extract(out);
		vmime::charset::convert(octets, text, body->getCharset(), UTF8);
		is_text = true;
	} catch (const std::exception &) {
	}
	item(is_text ? text.c_str() : nullptr);
}

static void walk(vmime::shared_ptr<vmime::bodyPart> part, Wanted wanted)
{
	auto body = part->getBody();
	vmime::mediaType type = body->getContentType();
	if (wanted == TREE)
		item(type.generate().c_str());
	if (wanted == FILES)
		show_file(part->getHeader());
	if (wanted == TEXTS && type.getType() == "text")
		show_body(body);
	for (auto &inner : body->getPartList())
		walk(inner, wanted);
}

static void show_parts(const char *name, vmime::shared_ptr<vmime::message> message, Wanted wanted)
{
	key(name);
	open_with('[');
	walk(message, wanted);
	close_with(']');
}

static void show(vmime::shared_ptr<vmime::message> message)
{
	auto header = message->getHeader();
	show_text_of(header, "subject", "Subject");
	show_text_of(header, "comments", "Comments");
	key("fields");
	open_with('[');
	for (auto &field : header->getFieldList())
		item(vmime::utility::stringUtils::toLower(field->getName()).c_str());
	close_with(']');
	key("names");
	open_with('{');
	for (const char *field : {"from", "sender", "to", "cc", "reply-to"})
		show_people(header, field, field, true);
	close_with('}');
	show_people(header, "addresses", "from", false);
	show_parts("tree", message, TREE);
	show_parts("files", message, FILES);
	show_parts("texts", message, TEXTS);
}

int main()
{
	size_t length;
	vmime::platform::setHandler<vmime::platforms::posix::posixHandler>();
	vmime::parsingContext context;
	context.setInternationalizedEmailSupport(true);
	while (char *octets = next_message(&length)) {
		begin_answer();
		try {
			auto message = vmime::make_shared<vmime::message>();
			message->parse(context, string(octets, length));
			show(message);
			end_answer();
		} catch (const std::exception &why) {
			fail_answer(why.what());
		}
		free(octets);
	}
}
