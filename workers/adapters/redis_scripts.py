"""The Lua scripts that read and change sessions in Redis.

This module knows the layout of the keys. Names and nodes reach the scripts as arguments only: what
agents write is never part of a script's text.

A partition's keys share the hash tag `{<prefix><group>/<partition>}`, so that one script may touch
several of them on a cluster too:

    {…}:session:<session>   hash: `offset` is the changelog offset applied last,
                            `node:<id>` a SessionNode as JSON,
                            `awaited:<id>` is there if an accepted message named the id too early
    {…}:position            "<cluster id> <changelog offset up to which everything is applied>"
"""

from __future__ import annotations

LOOK_UP = """
-- KEYS: sessions…, position.  ARGV: for each session: count of own ids, count of ids, ids (own first).
-- Returns {position, {nodes, awaited own ids}, …}. Where an own id is awaited, a circle is possible,
-- and the nodes returned include all ancestors of the ids asked for.
local answer = {redis.call('GET', KEYS[#KEYS])}
local at = 1
for session = 1, #KEYS - 1 do
  local key, own, count = KEYS[session], tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  at = at + 2
  local nodes, awaited, seen, waiting = {}, {}, {}, {}
  for i = 0, count - 1 do
    local id = ARGV[at + i]
    waiting[#waiting + 1] = id
    if i < own and redis.call('HEXISTS', key, 'awaited:' .. id) == 1 then
      awaited[#awaited + 1] = id
    end
  end
  at = at + count
  while #waiting > 0 do
    local id = table.remove(waiting)
    if not seen[id] then
      seen[id] = true
      local node = redis.call('HGET', key, 'node:' .. id)
      if node then
        nodes[#nodes + 1] = node
        if #awaited > 0 then
          for _, parent in ipairs(cjson.decode(node).parents or {}) do
            waiting[#waiting + 1] = parent
          end
        end
      end
    end
  end
  answer[#answer + 1] = {nodes, awaited}
end
return answer
"""

APPLY = """
-- KEYS: sessions…, position.  ARGV: positions before and after these nodes, then for each session:
-- count of nodes, and for each node: its changelog offset, id, JSON, count of missing ids, those ids.
-- Returns 0 and changes nothing where the position is not the one before: Redis was flushed or set back
-- since, or a late writer comes after another. Nodes on top of a gap would look complete.
if (redis.call('GET', KEYS[#KEYS]) or '') ~= ARGV[1] then
  return 0
end
local at = 3
for session = 1, #KEYS - 1 do
  local key = KEYS[session]
  local applied = tonumber(redis.call('HGET', key, 'offset') or '-1')
  local count = tonumber(ARGV[at])
  at = at + 1
  for _ = 1, count do
    local offset, id, node, missing = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
    at = at + 4
    if offset > applied then
      redis.call('HSET', key, 'node:' .. id, node, 'offset', string.format('%.0f', offset))
      for i = 0, missing - 1 do
        redis.call('HSET', key, 'awaited:' .. ARGV[at + i], '')
      end
      applied = offset
    end
    at = at + missing
  end
end
redis.call('SET', KEYS[#KEYS], ARGV[2])
return 1
"""

CLEAR = """
-- KEYS: position, sessions…
-- Removes the sessions, unless there is a position: somebody else has begun to fill Redis again.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
for session = 2, #KEYS do
  redis.call('UNLINK', KEYS[session])
end
return 1
"""
