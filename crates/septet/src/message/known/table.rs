//! The names of the fields that are known, and where each comes from.

use super::FieldKind::{self, Addresses, Comments, Links, Opaque, Parameters, Phrases, TypedAddress, Unstructured};

/// Names in their usual spelling, and what their fields are made of.
pub(super) static TABLE: [(&str, FieldKind); 127] = [
    ("Accept-Language", Opaque),                  // RFC 3282
    ("Apparently-To", Addresses),                 // sendmail
    ("Approved", Addresses),                      // RFC 5536 §3.2.1
    ("Archived-At", Opaque),                      // RFC 5064
    ("Authentication-Results", Opaque),           // RFC 8601
    ("Author", Addresses),                        // RFC 9057
    ("Auto-Submitted", Opaque),                   // RFC 3834
    ("Autocrypt", Opaque),                        // Autocrypt 1.1
    ("Autocrypt-Gossip", Opaque),                 // Autocrypt 1.1
    ("Bcc", Addresses),                           // RFC 5322 §3.6.3
    ("Cancel-Key", Opaque),                       // RFC 8315
    ("Cancel-Lock", Opaque),                      // RFC 8315
    ("Cc", Addresses),                            // RFC 5322 §3.6.3
    ("Comments", Unstructured),                   // RFC 5322 §3.6.5
    ("Content-Base", Opaque),                     // RFC 2110
    ("Content-Class", Unstructured),              // Exchange
    ("Content-Description", Unstructured),        // RFC 2045 §8
    ("Content-Disposition", Parameters),          // RFC 2183
    ("Content-Duration", Opaque),                 // RFC 3803
    ("Content-Features", Opaque),                 // RFC 2912
    ("Content-ID", Opaque),                       // RFC 2045 §7
    ("Content-Identifier", Unstructured),         // RFC 2156
    ("Content-Language", Opaque),                 // RFC 3282
    ("Content-Length", Opaque),                   // mbox of System V
    ("Content-Location", Opaque),                 // RFC 2557
    ("Content-MD5", Opaque),                      // RFC 1864
    ("Content-Return", Opaque),                   // RFC 2156
    ("Content-Transfer-Encoding", Opaque),        // RFC 2045 §6: written with the body alone
    ("Content-Type", Parameters),                 // RFC 2045 §5
    ("Control", Opaque),                          // RFC 5536 §3.2.3
    ("Date", Comments),                           // RFC 5322 §3.6.1
    ("Deferred-Delivery", Comments),              // RFC 2156
    ("Delivered-To", Opaque),                     // RFC 9228
    ("Delivery-Date", Comments),                  // Exim
    ("Disposition-Notification-Options", Opaque), // RFC 8098
    ("Disposition-Notification-To", Addresses),   // RFC 8098 §2.1
    ("Distribution", Opaque),                     // RFC 5536 §3.2.4
    ("DKIM2-Signature", Opaque),                  // draft-ietf-dkim-dkim2-spec
    ("DL-Expansion-History", Opaque),             // RFC 2156
    ("DomainKey-Signature", Opaque),              // RFC 4870
    ("DomainKey-Status", Opaque),                 // RFC 4870
    ("Envelope-To", Opaque),                      // Exim
    ("Errors-To", Addresses),                     // sendmail
    ("Expires", Comments),                        // RFC 5536 §3.2.5
    ("Expiry-Date", Comments),                    // RFC 2156
    ("Face", Opaque),                             // a picture
    ("Final-Recipient", TypedAddress),            // RFC 8098 §3.2.4
    ("Followup-To", Opaque),                      // RFC 5536 §3.2.6
    ("From", Addresses),                          // RFC 5322 §3.6.2
    ("In-Reply-To", Opaque),                      // RFC 5322 §3.6.4
    ("Injection-Date", Opaque),                   // RFC 5536 §3.2.7
    ("Injection-Info", Opaque),                   // RFC 5536 §3.2.8
    ("Jabber-ID", Opaque),                        // RFC 7259
    ("Keywords", Phrases),                        // RFC 5322 §3.6.5
    ("Latest-Delivery-Time", Comments),           // RFC 2156
    ("Lines", Opaque),                            // RFC 1036 §2.2.12, RFC 5536 §3.3.1
    ("List-Archive", Links),                      // RFC 2369 §3.6
    ("List-Help", Links),                         // RFC 2369 §3.1
    ("List-ID", Addresses),                       // RFC 2919
    ("List-Owner", Links),                        // RFC 2369 §3.5
    ("List-Post", Links),                         // RFC 2369 §3.4
    ("List-Subscribe", Links),                    // RFC 2369 §3.3
    ("List-Unsubscribe", Links),                  // RFC 2369 §3.2
    ("Mail-Copies-To", Addresses),                // Usenet
    ("Mail-Followup-To", Addresses),              // qmail
    ("Mail-Reply-To", Addresses),                 // qmail
    ("Message-ID", Opaque),                       // RFC 5322 §3.6.4
    ("Message-Instance", Opaque),                 // draft-ietf-dkim-dkim2-spec
    ("MIME-Version", Comments),                   // RFC 2045 §4
    ("Newsgroups", Opaque),                       // RFC 5536 §3.1.4
    ("NNTP-Posting-Date", Opaque),                // RFC 5536 §3.3
    ("NNTP-Posting-Host", Opaque),                // RFC 5536 §3.3
    ("Obsoletes", Opaque),                        // RFC 2156: identifiers
    ("OpenPGP", Opaque),                          // draft-josefsson-openpgp-mailnews-header
    ("Organization", Unstructured),               // RFC 5536 §3.2.9
    ("Original-From", Addresses),                 // RFC 5703
    ("Original-Message-ID", Opaque),              // RFC 3798
    ("Original-Recipient", TypedAddress),         // RFC 8098 §3.2.3
    ("Original-Sender", Addresses),               // lists that rewrite Sender
    ("Path", Opaque),                             // RFC 5536 §3.1.5
    ("Precedence", Unstructured),                 // sendmail
    ("Received", Opaque),                         // RFC 5321 §4.4: must not be changed
    ("Received-SPF", Opaque),                     // RFC 7208 §9.1
    ("References", Opaque),                       // RFC 5322 §3.6.4
    ("Reply-By", Comments),                       // RFC 2156
    ("Reply-To", Addresses),                      // RFC 5322 §3.6.2
    ("Require-Recipient-Valid-Since", Opaque),    // RFC 7293
    ("Resent-Bcc", Addresses),                    // RFC 5322 §3.6.6
    ("Resent-Cc", Addresses),                     // RFC 5322 §3.6.6
    ("Resent-Date", Comments),                    // RFC 5322 §3.6.6
    ("Resent-From", Addresses),                   // RFC 5322 §3.6.6
    ("Resent-Message-ID", Opaque),                // RFC 5322 §3.6.6
    ("Resent-Reply-To", Addresses),               // RFC 822 §4.1
    ("Resent-Sender", Addresses),                 // RFC 5322 §3.6.6
    ("Resent-To", Addresses),                     // RFC 5322 §3.6.6
    ("Return-Path", Opaque),                      // RFC 5322 §3.6.7
    ("Return-Receipt-To", Addresses),             // sendmail
    ("Sender", Addresses),                        // RFC 5322 §3.6.2
    ("Subject", Unstructured),                    // RFC 5322 §3.6.5
    ("Supersedes", Opaque),                       // RFC 5536 §3.2.12
    ("TLS-Report-Domain", Opaque),                // RFC 8460 §5.3
    ("TLS-Report-Submitter", Opaque),             // RFC 8460 §5.3
    ("To", Addresses),                            // RFC 5322 §3.6.3
    ("User-Agent", Unstructured),                 // RFC 5536 §3.2.13
    ("VBR-Info", Opaque),                         // RFC 5518
    ("X-Authenticated-Sender", Addresses),        // an account
    ("X-Authentication-Results", Opaque),         // before RFC 5451
    ("X-BeenThere", Addresses),                   // mailing lists
    ("X-Envelope-From", Opaque),                  // an envelope address
    ("X-Envelope-To", Opaque),                    // an envelope address
    ("X-Face", Opaque),                           // a picture
    ("X-Forwarded-To", Addresses),                // who forwards
    ("X-From", Addresses),                        // archives
    ("X-GM-Message-State", Opaque),               // a token
    ("X-Google-DKIM-Signature", Opaque),          // RFC 6376, by another name
    ("X-Google-Original-From", Addresses),        // lists that rewrite From
    ("X-Google-SMTP-Source", Opaque),             // a token
    ("X-Mailer", Unstructured),                   // a program
    ("X-MailFrom", Opaque),                       // an envelope address
    ("X-Message-ID", Unstructured),               // an identifier
    ("X-Original-From", Addresses),               // lists that rewrite From
    ("X-Original-Sender", Addresses),             // Google Groups
    ("X-Original-To", Opaque),                    // Postfix: an envelope address
    ("X-Rcpt-To", Opaque),                        // an envelope address
    ("X-Reply-To", Addresses),                    // lists that rewrite Reply-To
    ("X-Sender", Addresses),                      // before RFC 822's Sender was kept
    ("Xref", Opaque),                             // RFC 5536 §3.2.14
];
