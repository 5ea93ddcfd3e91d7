// Starts a session: in which project, with which agent, and with which prompt.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import styles from './new-session.module.css';

export function NewSession() {
	const { api } = useConnected();
	const { agents } = useWorld();
	const [, go] = useLocation();
	const asked = new URLSearchParams(useSearch()).get('project');
	const projects = useProjects();
	const [chosen, setChosen] = useState(asked ?? '');
	const [agent, setAgent] = useState('');
	const [prompt, setPrompt] = useState('');
	const [problem, setProblem] = useState<string | undefined>(undefined);
	/** A repeat of the same request, after a lost connection, starts no second session. */
	const [commandId, setCommandId] = useState(() => crypto.randomUUID());
	const [isStarting, setStarting] = useState(false);
	const projectId = chosen || projects[0]?.id;

	async function start(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (!projectId) return;
		setStarting(true);
		const started = await api.sessions.create({
			commandId,
			projectId,
			...(agent ? { agent } : {}),
			...(prompt.trim() ? { prompt } : {}),
		});
		setStarting(false);
		if (started.ok) return go(`/s/${started.value.sessionId}`);
		if (started.error.code !== 'cannot_start') setCommandId(crypto.randomUUID());
		setProblem(started.error.message);
	}

	return (
		<section aria-labelledby="new">
			<h1 id="new">New session</h1>
			<form className={styles.form} onSubmit={(event) => void start(event)}>
				<label>
					Project
					<select value={projectId ?? ''} onChange={({ target }) => setChosen(target.value)}>
						{projects.map(({ id, path }) => (
							<option key={id} value={id}>
								{sanitiseLine(path)}
							</option>
						))}
					</select>
				</label>
				<label>
					Agent
					<select value={agent} onChange={({ target }) => setAgent(target.value)}>
						<option value="">Default</option>
						{agents.map(({ id, guard }) => (
							<option key={id} value={id}>
								{sanitiseLine(`${id} (${guard})`)}
							</option>
						))}
					</select>
				</label>
				<label>
					Prompt
					<textarea
						rows={5}
						value={prompt}
						placeholder="What should the agent do?"
						onChange={({ target }) => setPrompt(target.value)}
					/>
				</label>
				{projects.length === 0 ? <p>No projects found yet. Open Projects to scan this machine.</p> : null}
				{problem === undefined ? null : <p role="alert">{problem}</p>}
				<button type="submit" disabled={!projectId || isStarting}>
					{isStarting ? 'Starting…' : 'Start session'}
				</button>
			</form>
		</section>
	);
}

type Choice = { readonly id: string; readonly path: string };

/** Those of sessions first, the latest one at the top, then those that a scan found. */
function useProjects(): Choice[] {
	const { api } = useConnected();
	const { sessions } = useWorld();
	const found = useRead('projects', () => api.projects.list());
	const used = sessions
		.toSorted((a, b) => b.lastEventAt - a.lastEventAt)
		.map((row) => ({ id: row.projectId, path: row.projectPath }));
	const scanned = (found.value?.projects ?? []).map(({ projectId, path }) => ({ id: projectId, path }));
	return [...new Map([...used, ...scanned].map((one) => [one.path, one])).values()];
}
