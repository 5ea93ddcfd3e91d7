import { describe, expect, it } from 'vitest';
import { ancestorsOf, psParents, readProcParent } from './process-table.ts';

describe('ancestors of a process', () => {
	it('start with the process itself and its parent', () => {
		expect(ancestorsOf(process.pid).slice(0, 2)).toEqual([process.pid, process.ppid]);
	});

	it('have the same parent from every source of this system', () => {
		const sources = [...(process.platform === 'linux' ? [readProcParent] : []), psParents()];
		for (const source of sources) expect(source(process.pid)).toBe(process.ppid);
	});

	it('end at a missing process, and in a cyclic tree', () => {
		expect(ancestorsOf(2 ** 30)).toEqual([2 ** 30]);
		expect(ancestorsOf(7, (pid) => (pid === 7 ? 8 : 7)).length).toBeLessThanOrEqual(256);
		expect(ancestorsOf(7, () => 0)).toEqual([7]);
	});
});
