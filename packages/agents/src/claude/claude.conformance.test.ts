import { describeConformance } from '../conformance/conformance.contract.ts';
import { claudeStage } from './claude.stage.contract.ts';

describeConformance(claudeStage);
