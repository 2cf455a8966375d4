;;; Emacs, as Gnus shows mail: mm-decode for parts, files and texts, and for fields mail-parse, which is ietf-drums and rfc2047.
;;; -*- lexical-binding: t -*-

(require 'json)
(require 'mail-parse)
(require 'message)
(require 'mm-decode)
(require 'mm-view)
(require 'rfc2047)
(require 'ietf-drums)

(defmacro tried (&rest body)
  "Decodes in a buffer of characters: in one of octets, as the message is in, these functions leave octets alone."
  `(with-temp-buffer
     (let ((inhibit-message t)) (condition-case nil (progn ,@body) (error nil)))))

(defun value (name)
  "A field of the current buffer's header, unfolded. Raw octets in it are UTF-8."
  (let ((octets (message-fetch-field name)))
    (and octets (decode-coding-string octets 'utf-8))))

(defun field (name)
  (let ((value (value name)))
    (and value (tried (mail-decode-encoded-word-string value)))))

(defun mailboxes (name)
  "Addresses and names of a field, members of groups among them."
  (let ((value (value name)))
    (and value (tried (mail-header-parse-addresses value)))))

(defun shown-name (mailbox)
  (and (cdr mailbox) (tried (mail-decode-encoded-word-string (cdr mailbox)))))

(defun leaves (handle)
  "The handles of all parts in order; a multipart is a list whose first element is its type."
  (if (stringp (car handle))
      (apply #'append (mapcar #'leaves (cdr handle)))
    (list handle)))

(defun types (handle)
  (if (stringp (car handle))
      (cons (car handle) (apply #'append (mapcar #'types (cdr handle))))
    (list (mm-handle-media-type handle))))

(defun file (handle)
  (let ((name (or (mail-content-type-get (mm-handle-disposition handle) 'filename)
                  (mail-content-type-get (mm-handle-type handle) 'name))))
    (and name (tried (mail-decode-encoded-address-string name)))))

(defun text (handle)
  (let ((charset (mail-content-type-get (mm-handle-type handle) 'charset)))
    (tried (mm-decode-string (mm-get-part handle) (or charset "us-ascii")))))

(defun names-in-order ()
  (let (found)
    (goto-char (point-min))
    (while (re-search-forward "^\\([^:\n \t]+\\):" nil t)
      (push (downcase (match-string 1)) found))
    (nreverse found)))

(defun seen (octets)
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert octets)
    (goto-char (point-min))
    (while (search-forward "\r\n" nil t) (replace-match "\n" t t))
    (goto-char (point-min))
    (let (answer)
      (save-restriction
        (mail-narrow-to-head)
        (setq answer
              (list (cons 'subject (field "subject"))
                    (cons 'comments (field "comments"))
                    (cons 'fields (vconcat (names-in-order)))
                    (cons 'names (mapcar (lambda (name) (cons name (vconcat (mapcar #'shown-name (mailboxes name)))))
                                         '("from" "sender" "to" "cc" "reply-to")))
                    (cons 'addresses (vconcat (mapcar #'car (mailboxes "from")))))))
      (let* ((handles (ignore-errors (mm-dissect-buffer t)))
             (leaves (and handles (leaves handles))))
        (append answer
                (list (cons 'tree (vconcat (and handles (types handles))))
                      (cons 'files (vconcat (delq nil (mapcar #'file leaves))))
                      (cons 'texts (vconcat (mapcar #'text (seq-filter
                                                            (lambda (it) (equal (mm-handle-media-supertype it) "text"))
                                                            leaves))))))))))

(defun clean (value)
  "What JSON takes: octets that no character came of become U+FFFD."
  (cond ((stringp value) (replace-regexp-in-string "[^\0-\U0010FFFF]" "\uFFFD" (string-to-multibyte value)))
        ((vectorp value) (vconcat (mapcar #'clean value)))
        ((consp value) (cons (clean (car value)) (clean (cdr value))))
        (t value)))

(setq mail-parse-charset 'utf-8
      locale-coding-system 'utf-8-unix)

(with-temp-buffer
  (set-buffer-multibyte nil)
  (insert-file-contents-literally "/dev/stdin")
  (goto-char (point-min))
  (while (looking-at "\\([0-9]+\\)\n")
    (let* ((start (match-end 0))
           (end (+ start (string-to-number (match-string 1))))
           (answer (condition-case why (seen (buffer-substring start end))
                     (error (list (cons 'error (format "%S" why)))))))
      (princ (json-encode (clean answer)))
      (terpri)
      (goto-char end))))
