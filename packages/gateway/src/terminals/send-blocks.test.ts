import { describe, expect, it } from 'vitest';
import { copyToBlock } from './send-blocks.ts';

describe('memory for bytes on their way to a socket', () => {
	it('keeps its bytes until it is released, whatever happens to the original', () => {
		const original = Buffer.from('first');
		const first = copyToBlock(original);
		original.fill('?');
		const second = copyToBlock(Buffer.from('second'));
		expect([first.bytes, second.bytes].map(String)).toEqual(['first', 'second']);
	});

	it('is used again after it is released', () => {
		const first = copyToBlock(Buffer.from('first'));
		first.release();
		expect(copyToBlock(Buffer.from('next')).bytes.buffer).toBe(first.bytes.buffer);
	});

	it('takes more bytes than fit into a block', () => {
		const bytes = Buffer.alloc(1_000_000, 'x');
		expect(Buffer.compare(copyToBlock(bytes).bytes, bytes)).toBe(0);
	});
});
