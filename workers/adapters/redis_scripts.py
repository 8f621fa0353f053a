"""The Lua scripts that read and change sessions in Redis.

This module knows the layout of the keys. Names and entries reach the scripts as arguments only: what
agents write is never part of a script's text.

The keys of a worker's partition share the hash tag `{<prefix><group>/<worker>/<partition>}`, so that one
script may touch several of them on a cluster too:

    {…}:session:<session>   hash: `@offset` is the changelog offset applied last, and each entry of the
                            session's state stands under its name, as "<changelog offset> <value>"
    {…}:position            "<cluster id> <changelog offset up to which everything is applied>"
    {…}:applied_at          when that was, in seconds since 1970
    {…}:due                 sorted set of "<entry>\\0<session>" by when something is due, in milliseconds
    {…}:idle                sorted set of sessions by when they changed last, in milliseconds
"""

from __future__ import annotations

LOAD = """
-- KEYS: sessions…, position.
-- Returns {position, {field, value, field, value, …} of each session, …}.
local answer = {redis.call('GET', KEYS[#KEYS])}
for session = 1, #KEYS - 1 do
  answer[#answer + 1] = redis.call('HGETALL', KEYS[session])
end
return answer
"""

APPLY = """
-- KEYS: sessions…, position, applied_at, due, idle.  ARGV: positions before and after these changes, the
-- time, then for each session, in MessagePack, its name, the time of its last change, and its changes, each
-- with its changelog offset, entry, value (nothing: it is taken away) and the time when something is due
-- (nothing: never).
-- Returns {0} and changes nothing where the position is not the one before: Redis was flushed or set back
-- since, or a late writer comes after another. Changes on top of a gap would look complete.
-- Otherwise returns {1, when something is due first, when a session changed that has been idle longest}.
local sessions = #KEYS - 4
local position, due, idle = KEYS[sessions + 1], KEYS[sessions + 3], KEYS[sessions + 4]
if (redis.call('GET', position) or '') ~= ARGV[1] then
  return {0}
end
for session = 1, sessions do
  local key = KEYS[session]
  local name, changed, changes = unpack(cmsgpack.unpack(ARGV[3 + session]))
  local applied = tonumber(redis.call('HGET', key, '@offset') or '-1')
  local latest
  for _, change in ipairs(changes) do
    local offset, entry, value, deadline = change[1], change[2], change[3], change[4]
    if offset > applied then
      local member = entry .. '\\0' .. name
      latest = string.format('%.0f', offset)
      if value == '' then
        redis.call('HDEL', key, entry)
        redis.call('ZREM', due, member)
      else
        redis.call('HSET', key, entry, latest .. ' ' .. value)
        if deadline ~= '' then
          redis.call('ZADD', due, deadline, member)
        end
      end
    end
  end
  if latest then
    redis.call('HSET', key, '@offset', latest)
  end
  if redis.call('HLEN', key) <= 1 then
    redis.call('UNLINK', key)
    redis.call('ZREM', idle, name)
  elseif changed ~= 0 then
    redis.call('ZADD', idle, changed, name)
  end
end
redis.call('SET', position, ARGV[2])
redis.call('SET', KEYS[sessions + 2], ARGV[3])
local first_due = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
local first_idle = redis.call('ZRANGE', idle, 0, 0, 'WITHSCORES')
return {1, first_due[2] or '', first_idle[2] or ''}
"""

AGENDA = """
-- KEYS: position, due, idle.  ARGV: the times before which something must have been due, and a session
-- must have changed last, to be named, and how many of each are named at most.
-- Returns {position, members of due, members of idle}.
return {
  redis.call('GET', KEYS[1]),
  redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3]),
  redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
}
"""

CLEAR = """
-- KEYS: position, due, idle, sessions…
-- Removes the sessions, unless there is a position: somebody else has begun to fill Redis again.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
for key = 2, #KEYS do
  redis.call('UNLINK', KEYS[key])
end
return 1
"""
