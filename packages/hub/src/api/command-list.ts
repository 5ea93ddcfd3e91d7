// Commands on their way to runners: listed by who may see the runner, cancelled by who sent them or owns the runner.
import type { Caller } from '@roost/gateway/access/caller';
import type { GatewayContext } from '@roost/gateway/operations/api';
import { AppError } from '@roost/protocol/app-error';
import type { CommandRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { HubCommand, HubCommands } from '../store/hub-store.ts';
import { maySee } from './runner-list.ts';

export type CommandListDeps = {
	commands: HubCommands;
	callerFor(caller: Caller, runner: RunnerId): Caller;
	now: () => number;
};

export function commandListHandlers({ commands, callerFor, now }: CommandListDeps) {
	async function visible(caller: Caller, query: { runner?: RunnerId | undefined; limit: number }): Promise<Result<HubCommand[]>> {
		const { runner, limit } = query;
		const found = await commands.list(runner === undefined ? { limit } : { runner, limit });
		return found.ok ? ok(found.value.filter((one) => maySee(callerFor(caller, one.runner)))) : found;
	}

	return {
		async commands(
			query: { runner?: RunnerId | undefined; limit: number },
			{ caller }: GatewayContext,
		): Promise<Result<CommandRow[]>> {
			const found = await visible(caller, query);
			return found.ok ? ok(found.value.map(toRow)) : found;
		},
		async cancelCommand({ id }: { id: string }, { caller }: GatewayContext): Promise<Result<void>> {
			const found = await visible(caller, { limit: MOST_LISTED });
			if (!found.ok) return found;
			const command = found.value.find((one) => one.id === id);
			if (!command)
				return err(new AppError('not_found', `Command "${id}" not found. Run "roost hub commands" to list commands.`));
			const isOwn = command.call.by.name === caller.principal.name;
			if (!isOwn && !callerFor(caller, command.runner).roles.includes('own')) {
				return err(new AppError('denied', 'Only its sender or the owner of the runner can cancel a command.'));
			}
			const cancelled = await commands.cancel(id, now());
			if (!cancelled.ok) return cancelled;
			return cancelled.value ? ok(undefined) : err(new AppError('conflict', `Command "${id}" is ${command.state} already.`));
		},
	};
}

const MOST_LISTED = 1_000;

function toRow({ id, runner, call, state, createdAt, expiresAt, outcome }: HubCommand): CommandRow {
	const { operation, by } = call;
	const problem = outcome && !outcome.ok ? { problem: outcome.error.message } : {};
	return { id, runner, operation, by: `${by.name}@${by.face}`, state, createdAt, expiresAt, ...problem };
}
