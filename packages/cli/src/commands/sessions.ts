// roost sessions: what is on record.
import { loadProject, loadRecord } from '../open-runner.ts';
import { fail } from '../output/exit.ts';
import { age, toTable } from '../output/table.ts';

export async function sessions(options: { all?: boolean; json?: boolean }): Promise<void> {
	const { openRecord } = await loadRecord();
	const record = openRecord(process.env);
	if (!record.ok) return fail(record.error, options);
	await using store = record.value;
	const projectId = options.all ? undefined : (await (await loadProject()).findProject(process.cwd())).id;
	const rows = store.sessions({ projectId });
	if (!rows.ok) return fail(rows.error, options);
	if (options.json) {
		process.stdout.write(`${JSON.stringify(rows.value)}\n`);
		return;
	}
	if (rows.value.length === 0) {
		process.stdout.write(
			options.all
				? 'No session yet. Start one with "roost claude", or see "roost demo".\n'
				: 'No session in this project. See those of every project with "roost sessions --all".\n',
		);
		return;
	}
	const now = Date.now();
	const lines = rows.value.map((row) => [
		row.id,
		row.agent,
		row.status,
		age(row.lastEventAt, now),
		String(row.events),
		row.title,
	]);
	process.stdout.write(`${toTable(['SESSION', 'AGENT', 'STATE', 'AGE', 'EVENTS', 'TITLE'], lines)}\n`);
}
