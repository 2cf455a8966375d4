//! Lines as JSON, an object each: `{"timestamp":"…","level":"INFO","message":"…","field":"value"}`.

use tracing::Level;

use super::said::{LogEvent, LogValue, quote, write_now};

/// Writes an event as one object; numbers are numbers.
pub fn write(level: Level, said: &LogEvent, out: &mut String) {
    out.push_str("{\"timestamp\":\"");
    write_now(out);
    out.push_str(&format!("\",\"level\":\"{level}\",\"message\":"));
    quote(&said.message, out);
    if !said.queue_id.is_empty() {
        out.push_str(",\"queue_id\":");
        quote(&said.queue_id, out);
    }
    for (name, value) in &said.fields {
        out.push_str(&format!(",\"{name}\":"));
        match value {
            LogValue::Number(number) => out.push_str(number),
            // No control character is in it, so that quotes are all that JSON escapes.
            LogValue::Word(text) | LogValue::Quoted(text) => quote(text, out),
        }
    }
    out.push_str("}\n");
}
