/*
 * septet puts the characters of mail right and leaves every other octet alone.
 *
 * All functions may be called from any thread, and no call changes anything for another. A profile
 * never changes: many threads may use one at once. A result or a string belongs to whoever got it.
 * A pointer may be NULL where a function says what that means.
 *
 * Made by c/header from c/src; do not edit.
 */

#ifndef SEPTET_H
#define SEPTET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * What became of a message. It has octets of its own: the message that it was made of may go.
 */
typedef struct septet_result septet_result;

/**
 * What is wanted of mail. It never changes, and many threads may use one at once.
 */
typedef struct septet_profile septet_profile;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Reads the value of an unstructured field, as Subject, to UTF-8: folds are undone, encoded-words are read. A word that can't be
 * read stays as it stands, and an octet 0 becomes U+FFFD. Free it with `septet_free`.
 *
 * NULL if `value` is NULL and has octets, or if septet has a fault.
 *
 * Requires: `value` has `length` octets, or is NULL.
 */
char *septet_decode_header(const uint8_t *value,
                           size_t length);

/**
 * Reads octets as text, by the label of their charset if it is good, else by what they show: to UTF-8, in which an octet 0
 * becomes U+FFFD. `label` may be NULL. Free it with `septet_free`.
 *
 * If nobody can tell what they mean, `text` is NULL and has octets, or `label` is not UTF-8, NULL is returned, and `*error` says
 * why. Free the error with `septet_free`; it is NULL if nothing is wrong. `error` itself may be NULL.
 *
 * Requires: `text` has `length` octets, or is NULL; `label` is NULL or ends with an octet 0; `error` is NULL or can be written.
 */
char *septet_decode_text(const uint8_t *text,
                         size_t length,
                         const char *label,
                         char **error);

/**
 * Returns a built-in profile by its name: `utf8`, `eai`, `seven-bit`, `utf7`, `ascii` or `keep`; NULL if none has the name, or
 * if it is NULL. Free it with `septet_profile_free`.
 *
 * Requires: `name` is NULL or ends with an octet 0.
 */
septet_profile *septet_profile_named(const char *name);

/**
 * Returns a profile of settings in TOML, as `septet.toml` has them: the one called `name`, or the one that `default_profile`
 * says if `name` is NULL.
 *
 * If there is none, NULL is returned, and `*error` says why: every fault of the settings with its line. Free the error with
 * `septet_free`; it is NULL if nothing is wrong. `error` itself may be NULL. Free the profile with `septet_profile_free`.
 *
 * Requires: `toml` has `length` octets, or is NULL and `length` is 0; `name` is NULL or ends with an octet 0; `error` is NULL or can be
 * written.
 */
septet_profile *septet_profile_from_toml(const char *toml,
                                         size_t length,
                                         const char *name,
                                         char **error);

/**
 * Frees a profile. Nothing is done for NULL.
 *
 * Requires: The profile is one that septet gave; it was not freed before, and no thread uses it any more.
 */
void septet_profile_free(septet_profile *profile);

/**
 * Converts a message as a profile says. It starts with its header; the From_ line of a mailbox is no part of it.
 *
 * Never NULL: whatever the message is, its result has octets, and where nothing is to be done, or something failed, they are
 * those of the message. Free it with `septet_result_free`. A NULL profile fails, and so does a message that is NULL and has
 * octets: `septet_result_error` says so.
 *
 * Requires: `profile` is NULL or one that septet gave; `message` has `length` octets, or is NULL; nobody changes either meanwhile.
 */
septet_result *septet_convert(const septet_profile *profile,
                              const uint8_t *message,
                              size_t length);

/**
 * Returns the octets of a result, and writes how many there are to `*length`. They stay until the result is freed.
 *
 * Never NULL for a result, even if there are no octets; NULL, and 0 octets, for NULL. `length` may be NULL.
 *
 * Requires: `result` is NULL or one that septet gave; `length` is NULL or can be written.
 */
const uint8_t *septet_result_octets(const septet_result *result,
                                    size_t *length);

/**
 * Returns true if anything of the message was changed; false for NULL.
 *
 * Requires: `result` is NULL or one that septet gave.
 */
bool septet_result_changed(const septet_result *result);

/**
 * Returns true if something that should have been changed was left, for a reason that the report has; false for NULL.
 *
 * Requires: `result` is NULL or one that septet gave.
 */
bool septet_result_left(const septet_result *result);

/**
 * Returns why the conversion failed, so that the octets are those of the message; NULL if it did not fail, and for NULL. The
 * string stays until the result is freed, and is freed with it.
 *
 * Requires: `result` is NULL or one that septet gave.
 */
const char *septet_result_error(const septet_result *result);

/**
 * Returns what was decided about the message: a list in JSON with the keys that `entries` have in the reports of
 * `septet convert`, an empty one if the conversion failed. Free it with `septet_free`. NULL for NULL.
 *
 * Requires: `result` is NULL or one that septet gave.
 */
char *septet_report_json(const septet_result *result);

/**
 * Frees a result, its octets and its error. Nothing is done for NULL.
 *
 * Requires: The result is one that septet gave, and was not freed before.
 */
void septet_result_free(septet_result *result);

/**
 * Frees a string that a function of septet gave: a text, a report, or what stands in `*error`. Nothing is done for NULL.
 *
 * Requires: The string is one of these, not that of `septet_result_error`, and was not freed before.
 */
void septet_free(char *string);

#ifdef __cplusplus
} /* extern "C" */
#endif /* __cplusplus */

#endif  /* SEPTET_H */
