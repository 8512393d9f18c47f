-- What wrk sends, from the words after `--`: the method and the file of the body; and what it found, as one line of JSON.

function init(words)
  wrk.method = words[1]
  if words[2] then
    local file = assert(io.open(words[2], "rb"))
    wrk.body = file:read("*a")
    file:close()
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
