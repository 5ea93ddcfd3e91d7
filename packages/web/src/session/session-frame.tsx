// Around every page of a session: its title, its state, what can be done with it, and its tabs.
import { age } from '@roost/core/display/age';
import { money, short } from '@roost/core/display/amounts';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { continuedBy } from '@roost/core/views/continued';
import { agentAndModel, stateWords } from '@roost/core/views/words';
import { sessionId } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useSource, useWorld } from '../data/use-world.ts';
import { useAction } from '../keys/use-action.ts';
import { OnMachine } from '../parts/on-machine.tsx';
import { NotRead } from '../parts/reading.tsx';
import { StatusSign } from '../parts/status-sign.tsx';
import styles from './session.module.css';
import { SessionMenu } from './session-menu.tsx';

type FrameProps = {
	/** They get the row of the session, which may be a moment old. */
	children: (row: SessionTile) => ReactNode;
	/** Only the machine of the runner can fill it. */
	isOfMachine?: boolean;
};

export function SessionFrame({ children, isOfMachine = false }: FrameProps) {
	const { id: given = '' } = useParams<{ id: string }>();
	const { sessions } = useWorld();
	const { api } = useConnected();
	const known = sessions.find(({ id }) => id === given);
	// Archived sessions are not in the live list.
	const read = useRead(known ? null : `session ${given}`, async () => await api.record.session({ id: sessionId.parse(given) }));
	const row = known ?? read.value;
	if (!row)
		return (
			<section>
				<NotRead {...read} />
			</section>
		);
	return (
		<div className={styles.page} key={row.id}>
			<SessionHead row={row} />
			{isOfMachine ? <OnMachine>{children(row)}</OnMachine> : children(row)}
		</div>
	);
}

function SessionHead({ row }: { row: SessionTile }) {
	const { now } = useWorld();
	const source = useSource();
	const isBusy = row.status === 'working' || row.status === 'waiting';
	const interrupt = () => void source.perform({ type: 'interrupt', id: row.id });
	useAction('interrupt', interrupt, isBusy && row.driven === true);
	const facts = [
		agentAndModel(row.agent, row.model ?? ''),
		row.gate === 'enforce' ? 'enforced' : row.driven ? 'driven' : 'observed',
		row.tokens ? `${short(row.tokens)} tokens` : '',
		row.costUsdEstimate === undefined ? '' : money(row.costUsdEstimate),
		row.projectPath,
	].filter((fact) => fact !== '');
	return (
		<header className={styles.head}>
			<div className={styles.title}>
				<h1>{sanitiseLine(row.title || row.id)}</h1>
				{isBusy && row.driven ? (
					<button type="button" onClick={interrupt}>
						Stop
					</button>
				) : null}
				<SessionMenu row={row} />
			</div>
			<p className={styles.facts}>
				<StatusSign row={row} />
				<span>{sanitiseLine(`${stateWords(row)} · ${age(row.lastEventAt, now)} ago · ${facts.join(' · ')}`)}</span>
				<ContinuedFact row={row} />
			</p>
			<SessionTabs id={row.id} />
		</header>
	);
}

function ContinuedFact({ row }: { row: SessionTile }) {
	const { sessions } = useWorld();
	const from = continuedBy(row);
	if (!from) return null;
	if (!('parentId' in from)) return <span className={styles.from}>· resumed from a past session</span>;
	const parent = sessions.find(({ id }) => id === from.parentId);
	return (
		<span className={styles.from}>
			· {from.how} from <Link href={`/s/${from.parentId}`}>{sanitiseLine(parent?.title || from.parentId)}</Link>
		</span>
	);
}

const TABS = [
	['', 'Feed'],
	['/changes', 'Changes'],
	['/terminal', 'Terminal'],
] as const;

function SessionTabs({ id }: { id: string }) {
	const [path] = useLocation();
	return (
		<nav className={styles.tabs} aria-label="Session">
			{TABS.map(([end, name]) => (
				<Link key={name} href={`/s/${id}${end}`} aria-current={path === `/s/${id}${end}` ? 'page' : undefined}>
					{name}
				</Link>
			))}
		</nav>
	);
}
