-- Several messages on one connection, and several connections at once.

local conns = {}
for number = 1, 5 do
  conns[number] = connected()
  client(conns[number], number == 5 and "unspec" or ("192.0.2." .. number))
end
for round = 1, 20 do
  for number, conn in ipairs(conns) do
    mt.macro(conn, SMFIC_MAIL, "i", "Q" .. round .. "N" .. number)
    if (round + number) % 3 == 0 then
      plain_message(conn)
    else
      changed_message(conn)
    end
    mt.abort(conn)
  end
end
for _, conn in ipairs(conns) do
  mt.disconnect(conn)
end
