import { describe, expect, it } from 'vitest';
import { readPtyOutput } from './pty-output.ts';

const KEY = Buffer.from('k');
const FULL_READ = Buffer.alloc(4_096, 'x');

describe('PTY output', () => {
	it('passes on the echo of single keys at once', () => {
		const output = createRig();
		for (let key = 0; key < 4; key++) output.read(KEY);
		expect(output.sizes).toEqual([1, 1, 1, 1]);
	});

	it('joins many short reads', () => {
		const output = createRig();
		for (let read = 0; read < 200; read++) output.read(KEY);
		output.flush();
		expect(output.sizes.length).toBeLessThanOrEqual(50);
		expect(output.sizes.reduce((sum, size) => sum + size, 0)).toBe(200);
	});

	it('passes on a flood in few chunks', () => {
		const output = createRig();
		for (let read = 0; read < 33; read++) output.read(FULL_READ);
		output.flush();
		// One more for each time that this process was suspended.
		expect(output.sizes.length).toBeLessThanOrEqual(8);
		expect(output.sizes.reduce((sum, size) => sum + size, 0)).toBe(33 * 4_096);
	});
});

/** Without a file descriptor, so that it gets exactly these reads. */
function createRig() {
	const sizes: number[] = [];
	let read = (_bytes: Buffer) => {};
	const onData = (handler: (bytes: string) => void) => {
		// The library passes bytes, contrary to its types.
		read = (bytes) => Reflect.apply(handler, undefined, [bytes]);
		return { dispose() {} };
	};
	const { flush } = readPtyOutput({ onData }, (bytes) => sizes.push(bytes.length));
	return { sizes, flush, read: (bytes: Buffer) => read(bytes) };
}
