//! What a program that uses the library does not want stays.

use crate::rewrite::Place;
use crate::rewrite::chosen_places::ALL_PLACES;
use crate::rewrite::decision::DecidedPlace;
use crate::rewrite::ordinals::Ordinals;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyRank, Cause, Wishes};

/// Strikes places that are not chosen; nothing is reported of them. A Content-Type that names the charset of its body
/// goes with the body. A place is known by the three values that `decisions` (`decision.rs`) has for it: a field is
/// chosen by the number that the report has for it (`Writer::report_field`), which is its place among the fields of its
/// name as they came.
pub(super) fn places<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    if *survey.choice == ALL_PLACES {
        return;
    }
    for (index, wish) in wishes.bodies.iter_mut().enumerate() {
        let place = DecidedPlace { part: survey.message.number(index), place: Place::Body, ordinal: 1 };
        if !survey.choice.takes(&place) {
            wish.strike(BodyRank::Nothing, (Cause::NotChosen, None));
        }
    }
    let mut ordinals = Ordinals::default();
    for (index, (part, fields)) in survey.message.parts().iter().zip(&mut wishes.fields).enumerate() {
        // A label goes with its body.
        for wish in fields.iter_mut().filter(|wish| wish.charset.is_none()) {
            let ordinal = ordinals.of(survey.message, part, wish.field);
            let place = DecidedPlace { part: survey.message.number(index), place: survey.place(wish.field), ordinal };
            if !survey.choice.takes(&place) {
                wish.strike((Cause::NotChosen, None));
            }
        }
    }
}
