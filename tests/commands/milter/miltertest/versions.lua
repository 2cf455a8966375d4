-- Every version of the protocol, with what its MTAs offered: the same changes.

local offers = {
  { 2, 0x3f, 0x7f },
  { 3, 0x3f, 0x1ff },
  { 4, 0x3f, 0x3ff },
  { 5, 0x3f, 0x3ff },
  { 6, 0x1ff, 0x1fffff },
  { 6, 0x1ff, 0 },
  { 7, 0x1ff, 0x1fffff },
}
for _, offer in ipairs(offers) do
  local conn = connected(offer[1], offer[2], offer[3])
  client(conn)
  changed_message(conn)
  plain_message(conn)
  mt.disconnect(conn)
end
