// The ids that cross a process, branded so that one kind cannot stand in for another.
import { z } from 'zod';

const id = z.string().min(1);

export const sessionId = id.brand<'SessionId', 'inout'>();
export type SessionId = z.infer<typeof sessionId>;

/** `<session>:R<n>`; `R0` holds lifecycle events outside any run. */
export const runId = id.brand<'RunId', 'inout'>();
export type RunId = z.infer<typeof runId>;

/** `<run>:E<seq>` */
export const eventId = id.brand<'EventId', 'inout'>();
export type EventId = z.infer<typeof eventId>;

/** `user`, `system`, `agent:root` or `subagent:<agent_id>` */
export const actorId = id.brand<'ActorId', 'inout'>();
export type ActorId = z.infer<typeof actorId>;

export const askId = id.brand<'AskId', 'inout'>();
export type AskId = z.infer<typeof askId>;

export const promptId = id.brand<'PromptId', 'inout'>();
export type PromptId = z.infer<typeof promptId>;

export const ruleId = id.brand<'RuleId', 'inout'>();
export type RuleId = z.infer<typeof ruleId>;

export const runnerId = id.brand<'RunnerId', 'inout'>();
export type RunnerId = z.infer<typeof runnerId>;

/** Opaque: the same path is another project on another machine. Lines from before schema version 8 have the path here. */
export const projectId = id.brand<'ProjectId', 'inout'>();
export type ProjectId = z.infer<typeof projectId>;

/** How a caller names a project: its id, or the absolute path of a folder in it. */
export const projectRef = id;

/** Also a name for other programs, such as tmux: without characters that are special there. */
export const terminalId = z
	.string()
	.regex(/^[a-z0-9-]{1,32}$/, 'expected 1 to 32 of a-z, 0-9 and -')
	.brand<'TerminalId', 'inout'>();
export type TerminalId = z.infer<typeof terminalId>;

/** Derived from the public key of the device, so that no other key can take its place. */
export const deviceId = z
	.string()
	.regex(/^[a-z0-9]{16}$/, 'expected 16 of a-z and 0-9')
	.brand<'DeviceId', 'inout'>();
export type DeviceId = z.infer<typeof deviceId>;

/** A key of the log: a session's id, or the runner's own. */
export const streamId = id.brand<'StreamId', 'inout'>();
export type StreamId = z.infer<typeof streamId>;

/** A session is a stream of the log. */
export function sessionStream(id: SessionId): StreamId {
	return streamId.parse(id);
}

/** The runner has a stream of its own: rules, devices, starts. */
export function runnerStream(id: RunnerId): StreamId {
	return streamId.parse(`runner:${id}`);
}

/** The session that an event is of. */
export function sessionOf(event: EventId): SessionId {
	return event.slice(0, event.lastIndexOf(':R')) as SessionId;
}
