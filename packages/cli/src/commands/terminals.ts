// roost terminals: the terminals of the runner, to attach to one.

import { age } from '@roost/core/display/age';
import { fail } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { toTable } from '../output/table.ts';
import { write } from '../output/write.ts';
import { connect } from '../runner/connect.ts';

export async function terminals(options: { json?: boolean }): Promise<void> {
	const connected = await connect({ start: false });
	if (!connected.ok) return fail(connected.error, options);
	// Without a runner no terminal is open that could be attached to.
	const listed = connected.value ? await connected.value.api.terminals.list() : undefined;
	if (listed && !listed.ok) return fail(listed.error, options);
	const rows = listed?.value ?? [];
	if (options.json) return await write(process.stdout, [JSON.stringify(rows)]);
	if (rows.length === 0) return await write(process.stdout, [`No terminals. Open one with "${calledAs()} attach --new".`]);
	const now = Date.now();
	const lines = rows.map(({ id, sessionId, state, exitCode, viewers, openedAt, recording, title, cwd }) => [
		id,
		sessionId ?? '-',
		exitCode === null ? state : `${state} (${exitCode})`,
		String(viewers),
		age(openedAt, now),
		recording === null ? '-' : 'yes',
		title,
		cwd,
	]);
	await write(process.stdout, [
		toTable(['TERMINAL', 'SESSION', 'STATE', 'VIEWERS', 'AGE', 'RECORDED', 'TITLE', 'FOLDER'], lines),
		`Attach with "${calledAs()} attach <terminal>".`,
	]);
}
