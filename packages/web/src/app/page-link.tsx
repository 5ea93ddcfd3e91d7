// A link to a page in the navigation; the inbox has the number of pending requests.
import { Link, useLocation } from 'wouter';
import { useAllAsks } from '../asks/use-all-asks.ts';
import styles from './app.module.css';

export function PageLink({ path, name }: { path: string; name?: string }) {
	const [here] = useLocation();
	return (
		<Link href={path} aria-current={here === path ? 'page' : undefined}>
			{name}
			{path === '/' ? <AskCount /> : null}
		</Link>
	);
}

/** Of all runners. */
function AskCount() {
	const { length } = useAllAsks();
	return length > 0 ? <span className={styles.count}>{length}</span> : null;
}
