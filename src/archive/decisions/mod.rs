//! What somebody decided of the changes of archives: the answers of `septet review`, which `septet convert --decisions`
//! obeys.
//!
//! A message is known by the SHA-256 of its octets, without what its file puts around them; a place by its part, and by
//! the name and the number of its field. Messages with the same octets are one message, and an answer is for each of
//! them: whichever a thread, a shard or a resumed run comes to first makes no difference then.
//!
//! A place may have an answer of its own. Else the latest rule that holds for it counts (all changes of its kind, all
//! of its sender), and else what was said of the rest.

mod answer;
mod decided_profiles;
mod error;
mod file;
mod index;
mod obey;
mod rule;

pub use answer::{AnswerLine, PlaceAnswer, PlaceName, YesNo};
pub use decided_profiles::{DecidedProfiles, DecisionsArgs};
pub use error::DecisionsError;
pub use file::DecisionsFile;
pub use index::{AnswerIndex, MessageIdentity};
pub use obey::{asked_changes, is_change, is_fix, obey};
pub use rule::{changes, kind_of};
