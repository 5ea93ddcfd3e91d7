import { describe, expect, it } from 'vitest';
import { toStyleOptions } from './styles.ts';

describe('style options', () => {
	it('defaults to the dark theme with colour and glyphs', () => {
		expect(toStyleOptions({}, { LANG: 'en_GB.UTF-8', TERM: 'xterm-256color' })).toEqual({
			ok: true,
			value: { theme: 'dark', colour: true, ascii: false },
		});
	});

	it.each(['light', 'high-contrast', 'dark'])('accepts the theme %s', (theme) => {
		expect(toStyleOptions({ theme }, {})).toMatchObject({ ok: true, value: { theme } });
	});

	it('rejects an unknown theme and lists the known ones', () => {
		expect(toStyleOptions({ theme: 'pink' }, {})).toMatchObject({
			ok: false,
			error: { code: 'usage', message: '--theme takes dark, light, high-contrast; it was "pink".' },
		});
	});

	it.each([[{ LANG: 'C' }], [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }], [{ LANG: 'C.UTF-8', TERM: 'linux' }]])(
		'disables glyphs with %o',
		(env) => {
			expect(toStyleOptions({}, env)).toMatchObject({ value: { ascii: true } });
		},
	);

	it('disables glyphs on request, and colour with a non-empty NO_COLOR', () => {
		expect(toStyleOptions({ ascii: true }, { NO_COLOR: '1' })).toMatchObject({ value: { ascii: true, colour: false } });
		expect(toStyleOptions({}, { NO_COLOR: '', LANG: 'C.UTF-8' })).toMatchObject({ value: { ascii: false, colour: true } });
	});
});
