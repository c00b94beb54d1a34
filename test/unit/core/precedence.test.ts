import { judgeHere } from '../../cases/judge-here';
import { describePrecedence } from '../../cases/precedence';

describePrecedence(() => judgeHere);
