import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteQueue } from './byte-queue.ts';

describe('byte queue', () => {
	it('contains the added bytes that were not dropped, in order', () => {
		const step = fc.oneof(
			fc.record({ add: fc.integer({ min: 0, max: 200_000 }), byte: fc.integer({ min: 0, max: 255 }) }),
			fc.record({ drop: fc.integer({ min: 0, max: 300_000 }) }),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				const queue = createByteQueue();
				let expected = Buffer.alloc(0);
				for (const next of steps) {
					if ('add' in next) {
						const bytes = Buffer.alloc(next.add, next.byte);
						queue.add(bytes);
						expected = Buffer.concat([expected, bytes]);
					} else {
						queue.drop(next.drop);
						expected = expected.subarray(next.drop);
					}
					expect(queue.size).toBe(expected.length);
					expect(queue.view(0, queue.size).equals(expected)).toBe(true);
					expect(queue.view(10, 20).equals(expected.subarray(10, 20))).toBe(true);
				}
			}),
			{ numRuns: 50 },
		);
	});
});
