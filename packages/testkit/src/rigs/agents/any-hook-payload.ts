// One payload that every agent's hook of a name understands, whoever's words it takes.

export function anyHookPayload(hook: string, nativeId: string, { cwd, command }: { cwd: string; command: string }) {
	const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call-1', tool_response: { stdout: 'done' } };
	const copilot = {
		sessionId: nativeId,
		transcriptPath: '/b.jsonl',
		toolName: 'bash',
		toolArgs: { command },
		toolCallId: 'call-1',
	};
	const ends = { reason: 'other', error: 'failed', source: 'resume', stop_hook_active: false, is_interrupt: false };
	const tells = { prompt: 'do it', message: 'look', notification_type: 'idle', agent_id: '', agent_type: 'x' };
	return {
		...call,
		...copilot,
		...ends,
		...tells,
		hook_event_name: hook,
		session_id: nativeId,
		transcript_path: '/b.jsonl',
		cwd,
		tool_calls: [call],
	};
}
