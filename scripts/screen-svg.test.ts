import { createVirtualTerminal } from '@roost/testkit/rigs/terminal/virtual-terminal';
import { describe, expect, it } from 'vitest';
import { toSvg } from './screen-svg.ts';

async function pictureOf(bytes: string): Promise<string> {
	using terminal = createVirtualTerminal({ columns: 20, rows: 2 });
	terminal.write(bytes);
	await terminal.settled();
	return toSvg(terminal, 'two lines & more');
}

describe('a screen as a picture', () => {
	it('puts text at its place, in its colour', async () => {
		const svg = await pictureOf('ab\x1b[31mred\x1b[0m\r\n\x1b[48;5;237m bar \x1b[0m\x1b[38;5;28mgreen');
		expect(svg).toContain(
			'<text x="12" y="25.5" textLength="16.8" lengthAdjust="spacingAndGlyphs" xml:space="preserve">ab</text>',
		);
		expect(svg).toMatch(/x="28.8" y="25.5"[^>]*fill="#f0717b"[^>]*>red</);
		expect(svg).toMatch(/<rect x="12" y="30" width="42" height="18" fill="#3a3a3a"\/><text[^>]*> bar </);
		expect(svg).toMatch(/fill="#008700"[^>]*>green</);
	});

	it('gives a wide character two cells and the next its place', async () => {
		const svg = await pictureOf('漢a');
		expect(svg).toMatch(/x="12"[^>]*textLength="16.8"[^>]*>漢</);
		expect(svg).toMatch(/x="28.8"[^>]*>a/);
	});

	it('contains its title as a text alternative', async () => {
		expect(await pictureOf('x')).toContain('<title>two lines &amp; more</title>');
	});

	it('escapes markup', async () => {
		expect(await pictureOf('<b>&')).toContain('&lt;b&gt;&amp;');
	});

	it('omits empty text', async () => {
		expect((await pictureOf('')).match(/<text/g)).toBeNull();
	});
});
