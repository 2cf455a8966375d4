# Ruby's mail: the calls of its README. Encoded words of names are decoded by Mail::Encodings, as `decoded` does for whole fields.

require 'json'
require 'mail'

def tried(otherwise = nil)
  yield
rescue StandardError, NotImplementedError
  otherwise
end

# JSON takes valid UTF-8 alone.
def shown(text)
  text && text.to_s.encode('UTF-8', invalid: :replace, undef: :replace).scrub
end

def parts(part)
  [part, *part.parts.flat_map { |inner| parts(inner) }]
end

def names(message, field)
  list = tried { message[field]&.addrs } || []
  list.map { |address| shown(tried { Mail::Encodings.value_decode(address.display_name) if address.display_name }) }
end

def seen(octets)
  message = Mail.read_from_string(octets)
  all = parts(message)
  {
    tree: all.map { |part| shown(tried { part.mime_type } || 'text/plain').downcase },
    fields: tried([]) { message.header.fields.map { |field| field.name.downcase } },
    subject: shown(tried { message.subject }),
    comments: shown(tried { message['comments']&.decoded }),
    names: %w[from sender to cc reply-to].to_h { |field| [field, names(message, field)] },
    addresses: (tried { message.from } || []).map { |it| shown(it) },
    files: all.filter_map { |part| shown(tried { part.filename }) },
    texts: all.reject(&:multipart?).select { |part| tried { part.text? } || part.mime_type.nil? }
              .map { |part| shown(tried { part.decoded }) }
  }
end

STDIN.binmode
STDOUT.sync = true
while (length = STDIN.gets)
  octets = STDIN.read(length.to_i)
  answer = begin
    seen(octets)
  rescue StandardError, SystemStackError => e
    { tree: [], fields: [], names: {}, addresses: [], files: [], texts: [], error: shown(e.message) }
  end
  puts JSON.generate(answer)
end
