// An agent must not decide for its user. It runs as the same user, so the runner is told who wants to decide, and keeps the attempt.
import { isAgentMark } from '@roost/core/runtime/child-environment';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Connected, connect, type Face } from './connect.ts';

/** A connection for a command that decides; an error where an agent that Roost governs runs it. Null when no runner is up. */
export async function connectToDecide(
	command: string,
	options: { start: boolean; face?: Face; tellsOldConfig?: boolean },
): Promise<Result<Connected | null>> {
	const session = process.env.ROOST_SESSION || undefined;
	const isInside = Object.keys(process.env).some(isAgentMark);
	const connected = await connect({ ...options, start: options.start && !isInside });
	if (!connected.ok || !connected.value) return isInside ? err(peopleDecide()) : connected;
	const judged = await connected.value.api.launches.judge({ pid: process.pid, session, command });
	if (isInside || (judged.ok && judged.value.governedBy)) return err(peopleDecide());
	return judged.ok ? connected : judged;
}

/** For commands that cannot do without a runner. */
export async function connectOrStartToDecide(command: string, face: Face = 'cli'): Promise<Result<Connected>> {
	const connected = await connectToDecide(command, { start: true, face });
	if (!connected.ok) return connected;
	return connected.value ? ok(connected.value) : err(new AppError('cannot_start', 'No runner is up: start one with "roost up".'));
}

function peopleDecide(): AppError {
	return new AppError(
		'unauthorized',
		'Agents cannot do this: this terminal belongs to an agent that Roost governs. Use another terminal.',
	);
}
