// Commands on their way to runners, and recent ones. One that was not delivered yet can be cancelled.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { CommandRow } from '@roost/protocol/hub/runners';
import { useState } from 'react';
import { clockWords } from '../data/away.ts';
import { useEntrance, useFleet } from '../data/use-fleet.tsx';
import { useHubApi } from '../data/use-hub-api.ts';
import { useInterval } from '../data/use-interval.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Empty, Page, Part } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Row, Rows } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';

const EVERY_MS = 3_000;

export function QueuedCommands() {
	const hub = useHubApi();
	const { fleet } = useEntrance();
	const read = useRead('hub commands', () => hub.commands());
	const [problem, setProblem] = useState<string>();
	useInterval(read.again, EVERY_MS, true);

	async function cancel({ id }: CommandRow): Promise<void> {
		const reply = await hub.cancelCommand({ id });
		setProblem(reply.ok ? undefined : reply.error.message);
		if (reply.ok) for (const { runner } of fleet.worlds()) runner.opened?.connected.source.forgetQueued(id);
		read.again();
	}

	if (read.value === undefined) return <NotRead {...read} />;
	const open = read.value.filter(({ state }) => state === 'open');
	const recent = read.value.filter(({ state }) => state !== 'open');
	return (
		<Page title="Queued commands">
			{problem === undefined ? null : <p role="alert">{problem}</p>}
			{open.length === 0 ? <Empty>No queued commands. Commands for a runner that is offline wait here.</Empty> : null}
			{open.length > 0 ? (
				<Rows label="Queued">
					{open.map((row) => (
						<CommandItem key={row.id} row={row} onCancel={() => void cancel(row)} />
					))}
				</Rows>
			) : null}
			{recent.length > 0 ? (
				<Part title="Recent">
					<Rows label="Recent">
						{recent.map((row) => (
							<CommandItem key={row.id} row={row} />
						))}
					</Rows>
				</Part>
			) : null}
		</Page>
	);
}

function CommandItem({ row, onCancel }: { row: CommandRow; onCancel?: () => void }) {
	const { runners = [] } = useFleet();
	const { now } = useWorld();
	const name = runners.find(({ id }) => id === row.runner)?.row?.name ?? row.runner;
	return (
		<Row
			title={
				<>
					<strong>{OPERATIONS[row.operation] ?? row.operation}</strong> <Badge tone={tone(row)}>{stateWords(row)}</Badge>
				</>
			}
			about={
				<>
					{sanitiseLine(name)} · {sanitiseLine(row.by)} · <When at={row.createdAt} />
					{row.state === 'open' ? ` · queued until ${clockWords(row.expiresAt, now)}` : ''}
					{row.problem === undefined ? '' : ` · ${sanitiseLine(row.problem)}`}
				</>
			}
			end={
				onCancel === undefined ? undefined : (
					<Button look="quiet" data-row={row.id} onClick={onCancel}>
						Cancel
					</Button>
				)
			}
		/>
	);
}

const OPERATIONS: Readonly<Record<string, string>> = {
	'asks.approve': 'Decide a request',
	'asks.answer': 'Answer a question',
	'sessions.message': 'Send a prompt',
	'sessions.interrupt': 'Interrupt a run',
	'sessions.end': 'End a session',
	'sessions.create': 'Start a session',
	'sessions.resume': 'Resume a session',
	'sessions.fork': 'Fork a session',
	'sessions.rename': 'Rename a session',
	'sessions.archive': 'Archive a session',
};

function stateWords({ state, problem }: CommandRow): string {
	if (state === 'open') return 'Queued';
	if (state === 'done') return problem === undefined ? 'Done' : 'Refused';
	return state === 'expired' ? 'Expired' : 'Cancelled';
}

function tone({ state, problem }: CommandRow): 'ok' | 'warn' | 'bad' | 'dim' {
	if (state === 'open') return 'warn';
	if (state === 'done') return problem === undefined ? 'ok' : 'bad';
	return 'dim';
}
