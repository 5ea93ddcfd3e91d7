// roost terminals: lists terminals of the runner.
import { age } from '@roost/core/display/age';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connect } from '../runner/connect.ts';

export async function terminals(options: { json?: boolean }): Promise<void> {
	const connected = unwrap(await connect({ start: false }));
	const rows = connected ? unwrap(await connected.api.terminals.list()) : [];
	if (rows.length === 0) return await print(options, rows, [`No terminals. Open one with "${calledAs()} attach --new".`]);
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
	await print(options, rows, [
		toTable(['TERMINAL', 'SESSION', 'STATE', 'VIEWERS', 'AGE', 'RECORDED', 'TITLE', 'FOLDER'], lines),
		`Attach with "${calledAs()} attach <terminal>".`,
	]);
}
