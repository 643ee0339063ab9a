from mealplan.cli import main

raise SystemExit(main())
