import { test } from "uvu";
import * as assert from "uvu/assert";
import { processorTime } from "#runtime/processor-time.fixture";
import { FORMATS } from "./formats.ts";
import type { Format } from "./shape.ts";

/** One case for each rule. */
const CASES: Readonly<Record<Format, readonly [fit: string, misfit: string]>> = {
  date: [
    "2026-11-22 | 2024-02-29 | 2000-02-29 | 0000-01-01",
    "2026-02-29 | 1900-02-29 | 2026-13-01 | 2026-00-10 | 2026-04-31 | 2026-4-1 | 26-01-01 | 2026-01-01T | ",
  ],
  time: [
    "10:30:00Z | 10:30:00.123456z | 23:59:60Z | 01:29:60+01:30 | 00:00:00-23:59",
    "10:30:00 | 24:00:00Z | 10:60:00Z | 10:30:61Z | 22:59:60Z | 10:30:00+24:00 | 10:30:00+01:60 | 10:30:00.Z",
  ],
  "date-time": [
    "2026-11-22T10:30:00Z | 2026-11-22t10:30:00.5+01:00 | 1990-12-31T15:59:60-08:00",
    "2026-11-22 10:30:00Z | 2026-11-31T10:30:00Z | 2026-11-22 | 2026-11-22T10:30Z",
  ],
  duration: [
    "P3DT12H | P1Y2M3D | PT36H | P4W | PT1H30M5S",
    "P | PT | P1W2D | P2D1Y | P1Y2D | 1D | PT1H5S | PT0.5S",
  ],
  email: [
    'ada@example.org | a.b+c~d@example.org | "a b"@example.org | a@[127.0.0.1] | a@[IPv6:::1]',
    `ada | @example.org | ada@ | .a@b.org | a..b@c.org | a@b_c.org | a@[127.0.0.300] | ${"a".repeat(65)}@b.org`,
  ],
  hostname: [
    "example.org | localhost | xn--nxasmq6b | a-1.b | 1.2",
    ` | -a.org | a-.org | a..b | a. | a_b | ab--cd | ${"a".repeat(64)}.org | ä.org`,
  ],
  ipv4: [
    "127.0.0.1 | 255.255.255.255",
    "127.0.0 | 127.0.0.1.2 | 256.0.0.1 | 01.2.3.4 | 1.2.3.4  | 0x7f.0.0.1 | 1.2.3. | १.0.0.1",
  ],
  ipv6: [
    ":: | ::1 | 2001:db8::8a2e:370:7334 | 1:2:3:4:5:6:7:8 | ::ffff:192.0.2.1 | 1:2:3:4:5:6:7::",
    ": | ::: | 1::2::3 | 1:2:3:4:5:6:7 | 1:2:3:4:5:6:7:8:: | 12345:: | ::1%eth0 | ::192.0.2.1:5 | ::g | [::1]",
  ],
  uri: [
    "https://example.org/a?b=c#d | urn:isbn:123 | mailto:a@b.org | http://[::1]:80/ | file:///etc | a: | http://a%20b@c",
    "//example.org | /a |  | http://a b | http://[1::2::3]/ | http://a/%zz | 1http://a | http://a/\\ | http://a:x/ | http://ä",
  ],
  uuid: [
    "2eb8aa08-aa98-11ea-b4aa-73b441d16380 | 2EB8AA08-AA98-11EA-B4AA-73B441D16380",
    "2eb8aa08aa9811eab4aa73b441d16380 | 2eb8aa08-aa98-11ea-b4aa-73b441d1638 | 2eb8aa08-aa98-11ea-b4aa73b441d16380- | {2eb8aa08-aa98-11ea-b4aa-73b441d16380}",
  ],
};

for (const [format, check] of Object.entries(FORMATS)) {
  const [fit, misfit] = CASES[format as Format].map((texts) => texts.split(" | ")) as [string[], string[]];
  test(`${format}: what fits, and what does not`, () => {
    assert.equal(
      fit.filter((text) => !check(text)),
      [],
    );
    assert.equal(misfit.filter(check), []);
    assert.equal(
      fit.filter((text) => check(`${text}\n`)),
      [],
    );
  });

  test(`${format}: a long text takes time that grows with its length only`, () => {
    const starts = [...fit, ...misfit].flatMap((text) => [text, text.slice(0, 3), text.slice(-2)]);
    const time = processorTime(() => {
      for (const part of starts) {
        check(`${part.repeat(50_000)}\0`);
        check(`${fit[0]}${part.repeat(50_000)}\0`);
      }
    });
    assert.ok(time < 3000, `${time} ms`);
  });
}

test.run();
