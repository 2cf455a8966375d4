//! What a program that uses the library does not want stays.

use crate::message::PartNumber;
use crate::rewrite::Place;
use crate::rewrite::chosen_places::ALL_PLACES;
use crate::rewrite::decision::DecidedPlace;
use crate::rewrite::ordinals::Ordinals;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, BodyRank, FieldCause, Wishes};

/// Strikes places that are not chosen; nothing is reported of them.
pub(super) fn places<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    if *survey.choice == ALL_PLACES {
        return;
    }
    for (index, wish) in wishes.bodies.iter_mut().enumerate() {
        if !survey.choice.takes(&DecidedPlace::new(survey.message.number(index), Place::Body, 1)) {
            wish.strike(BodyRank::Nothing, BodyCause::NotChosen, None);
        }
    }
    let mut ordinals = Ordinals::default();
    for (index, (part, fields)) in survey.message.parts().iter().zip(&mut wishes.fields).enumerate() {
        let number: PartNumber = survey.message.number(index);
        for wish in fields {
            let ordinal = ordinals.of(survey.message, part, wish.field);
            let place = DecidedPlace::new(number.clone(), survey.place(wish.field), ordinal);
            // A label goes with its body.
            let is_label = wish.charset.is_some();
            if !is_label && !survey.choice.takes(&place) {
                wish.strike(FieldCause::NotChosen, None);
            }
        }
    }
}
