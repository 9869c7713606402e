export {
  type AdmittedRunBudget,
  type BudgetRefusal,
  type Budgets,
  createBudgets,
  type Spender,
  type SpentOnce,
} from "./budgets.ts";
