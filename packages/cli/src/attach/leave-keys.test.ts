import { describe, expect, it } from 'vitest';
import { createLeaveKeys } from './attached-terminal.ts';

function type(...pieces: string[]): { keys: string; wishes: string[] } {
	const read = createLeaveKeys();
	const all = pieces.map((piece) => read(Buffer.from(piece, 'latin1')));
	return {
		keys: all.map(({ keys }) => Buffer.from(keys).toString('latin1')).join(''),
		wishes: all.flatMap(({ wishes }) => wishes),
	};
}

describe('keys in an attached terminal', () => {
	it('are passed to the program unchanged', () => {
		expect(type('ls\r', '\x03', 'é\xff\x00')).toEqual({ keys: 'ls\r\x03é\xff\x00', wishes: [] });
	});

	it('detach when Ctrl-] is pressed twice, in one chunk or two', () => {
		expect(type('a\x1d\x1d')).toEqual({ keys: 'a', wishes: ['leave'] });
		expect(type('\x1d', '\x1d')).toEqual({ keys: '', wishes: ['leave'] });
	});

	it('detach when the terminal encodes Ctrl-] as an escape sequence', () => {
		expect(type('\x1b[93;5u\x1b[93;5u')).toEqual({ keys: '', wishes: ['leave'] });
		expect(type('\x1b[27;5;93~', '\x1d')).toEqual({ keys: '', wishes: ['leave'] });
	});

	it('take control on Ctrl-] followed by t', () => {
		expect(type('\x1dtx')).toEqual({ keys: 'x', wishes: ['take'] });
	});

	it('are passed on with the Ctrl-] when another key follows it', () => {
		expect(type('\x1d', 'xyz')).toEqual({ keys: '\x1dxyz', wishes: [] });
	});
});
