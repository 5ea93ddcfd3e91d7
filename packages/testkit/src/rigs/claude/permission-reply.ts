// What a waiting claude reads from the reply to its permission request.

/** Undefined where nothing was decided. */
export function readPermissionReply(body: string): unknown {
	const reply: { hookSpecificOutput?: { decision?: unknown } } = JSON.parse(body);
	return reply.hookSpecificOutput?.decision;
}
