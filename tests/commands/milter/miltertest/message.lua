-- One message: what the filter asks for in the terms, and what it changes.

local conn = connected()
if mt.test_action(conn, SMFIF_CHGBODY) ~= true or mt.test_action(conn, SMFIF_CHGHDRS) ~= true then
  fail("it does not ask for what it needs")
end
for _, action in ipairs({ SMFIF_ADDRCPT, SMFIF_DELRCPT, SMFIF_QUARANTINE, SMFIF_CHGFROM }) do
  if mt.test_action(conn, action) == true then
    fail("it asks for what it does not need")
  end
end
client(conn)
mt.macro(conn, SMFIC_MAIL, "i", "4ABCDEF")
changed_message(conn)
if mt.eom_check(conn, MT_HDRADD) or mt.eom_check(conn, MT_HDRINSERT) or mt.eom_check(conn, MT_HDRDELETE) then
  fail("more was changed than that")
end
mt.disconnect(conn)
