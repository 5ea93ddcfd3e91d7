// Resumes a past session: Roost drives it from now on, and it opens.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { PastSession } from '@roost/protocol/api/projects';
import type { ProjectId } from '@roost/protocol/ids';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { Button } from '../parts/button.tsx';

export function ResumeButton({ session: { agent, nativeId, title }, projectId }: { session: PastSession; projectId: ProjectId }) {
	const { api } = useConnected();
	const [, go] = useLocation();
	const [isSent, setSent] = useState(false);
	const [problem, setProblem] = useState('');

	async function resume(): Promise<void> {
		setSent(true);
		const reply = await api.sessions.create({ commandId: crypto.randomUUID(), projectId, agent, resume: { nativeId } });
		setSent(false);
		if (reply.ok) go(`/s/${reply.value.sessionId}`);
		else setProblem(reply.error.message);
	}

	return (
		<>
			{problem === '' ? null : <span role="alert">{problem}</span>}
			<Button
				look="quiet"
				disabled={isSent}
				aria-label={`Resume ${sanitiseLine(title || nativeId)}`}
				onClick={() => void resume()}
			>
				Resume
			</Button>
		</>
	);
}
