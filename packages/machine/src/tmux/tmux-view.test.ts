import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';
import { openTmuxView } from './tmux-view.ts';

const ENV = { PATH: process.env.PATH ?? '' };

it('settles only when all output that tmux reported is received', async () => {
	await using dir = await createTempDir();
	const drawn = join(dir.path, 'drawn');
	const slowClient = 'printf setup; while ! [ -e "$1" ]; do sleep 0.01; done; printf screen; cat';
	let questions = 0;
	let redraws = 0;
	const view = openTmuxView({
		attachment: {
			file: 'sh',
			args: ['-c', slowClient, 'sh', drawn],
			env: ENV,
			written: async () => {
				questions += 1;
				return existsSync(drawn) ? 'setupscreen'.length : 'setup'.length + 1;
			},
			redraw: async () => {
				redraws += 1;
			},
		},
		size: { cols: 80, rows: 24 },
		history: '',
		onLost: () => {},
	});
	let seen = '';
	view.onBytes((bytes) => {
		seen += Buffer.from(bytes).toString('latin1');
	});
	const settled = view.settled().then(() => seen);
	await waitFor(() => (seen === 'setup' && questions > 4) || undefined, {
		what: 'the view to ask again while a byte is missing',
	});
	writeFileSync(drawn, '');
	expect(await settled).toBe('setupscreen');
	expect(redraws).toBe(1);
	await view.close();
});
