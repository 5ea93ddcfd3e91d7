// The agents on this machine: whether each is installed, what Roost can do with it, and whether its permission hook was tested.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AgentRow } from '@roost/protocol/api/agents';
import { useState } from 'react';
import { useConnected } from '../data/use-connected.ts';
import { useLongCommand } from '../data/use-long-command.ts';
import { useRead } from '../data/use-read.ts';
import { Button } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import { Rows } from '../parts/rows.tsx';
import { AgentCard } from './agent-card.tsx';
import styles from './agents.module.css';

export function Agents() {
	const { api } = useConnected();
	const listed = useRead('agents', api.agents.list);
	const [proven, setProven] = useState<readonly AgentRow[]>();
	const test = useLongCommand((commandId) => api.agents.prove({ commandId, again: true }), setProven);
	const agents = proven ?? listed.value;
	return (
		<Page
			title="Agents"
			actions={
				<Button onClick={test.start} disabled={test.isRunning}>
					{test.isRunning ? 'Testing…' : 'Test permission hooks'}
				</Button>
			}
		>
			<div role="status" className={styles.progress}>
				{test.isRunning ? <p>Each installed agent is started once, which takes seconds.</p> : null}
				{test.isRunning ? test.lines.map((line) => <p key={line}>{sanitiseLine(line)}</p>) : null}
				{test.problem === undefined ? null : <p>{test.problem}</p>}
			</div>
			{agents === undefined ? (
				<NotRead {...listed} />
			) : (
				<Rows label="Agents">
					{agents.map((agent) => (
						<AgentCard key={agent.id} agent={agent} />
					))}
				</Rows>
			)}
		</Page>
	);
}
