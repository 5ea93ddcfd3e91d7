import { describe, expect, it } from 'vitest';
import { toStyleOptions } from './styles.ts';

describe('how the screen shall look', () => {
	it('is dark, coloured and full of glyphs unless something speaks against it', () => {
		expect(toStyleOptions({}, { LANG: 'en_GB.UTF-8', TERM: 'xterm-256color' })).toEqual({
			ok: true,
			value: { theme: 'dark', colour: true, ascii: false },
		});
	});

	it.each(['light', 'high-contrast', 'dark'])('takes the theme %s', (theme) => {
		expect(toStyleOptions({ theme }, {})).toMatchObject({ ok: true, value: { theme } });
	});

	it('says which themes there are', () => {
		expect(toStyleOptions({ theme: 'pink' }, {})).toMatchObject({
			ok: false,
			error: { code: 'usage', message: '--theme takes dark, light, high-contrast; it was "pink".' },
		});
	});

	it.each([[{ LANG: 'C' }], [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }], [{ LANG: 'C.UTF-8', TERM: 'linux' }]])(
		'does without glyphs with %o',
		(env) => {
			expect(toStyleOptions({}, env)).toMatchObject({ value: { ascii: true } });
		},
	);

	it('does without them when asked to, and without colour with NO_COLOR', () => {
		expect(toStyleOptions({ ascii: true }, { NO_COLOR: '1' })).toMatchObject({ value: { ascii: true, colour: false } });
		expect(toStyleOptions({}, { NO_COLOR: '', LANG: 'C.UTF-8' })).toMatchObject({ value: { ascii: false, colour: true } });
	});
});
