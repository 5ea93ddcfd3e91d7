import { join } from 'node:path';
import { inlineArgv } from '@roost/testkit/rigs/program';
import { openTuiInTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { describe, expect, it } from 'vitest';
import { createCopy } from './clipboard.ts';

function copyInto(env: NodeJS.ProcessEnv = {}) {
	const written: string[] = [];
	return { copy: createCopy({ write: (bytes) => written.push(bytes), env }), written };
}

describe('copy', () => {
	it('writes to the terminal clipboard and confirms it', async () => {
		const { copy, written } = copyInto();
		expect(await copy('naïve\x1b]52;c;?\x07')).toBe('Copied.');
		expect(written).toEqual([`\x1b]52;c;${Buffer.from('naïve\x1b]52;c;?\x07').toString('base64')}\x07`]);
	});

	it('writes nothing for empty or overlong text', async () => {
		const { copy, written } = copyInto();
		expect(await copy('')).toBe('Nothing to copy.');
		expect(await copy('x'.repeat(100_000))).toMatch(/too long/);
		expect(written).toEqual([]);
	});

	it('falls back to the terminal if tmux cannot be run', async () => {
		const { copy, written } = copyInto({ TMUX: '/nowhere,1,0', PATH: '/nowhere' });
		expect(await copy('text')).toBe('Copied.');
		expect(written).toHaveLength(1);
	});

	it('reaches the clipboard from inside tmux', async () => {
		const lines = `
			import { createCopy } from ${JSON.stringify(join(import.meta.dirname, 'clipboard.ts'))};
			const copy = createCopy({ write: () => console.log('not through tmux'), env: process.env });
			console.log(await copy('from inside'));
			process.stdin.resume();
		`;
		await using tui = await openTuiInTmux(inlineArgv(lines));
		await tui.waitForScreen(/Copied, also into the buffer of tmux\./);
		await tui.waitForScreen(() => tui.bytes().includes(Buffer.from('from inside').toString('base64')));
		expect(tui.bytes()).toContain('\x1b]52;');
	});
});
