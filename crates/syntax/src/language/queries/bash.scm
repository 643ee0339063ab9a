; Definitions, names and calls of Bash, whose grammar comes without a query.
(function_definition name: (word) @name) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.constant)
(program (declaration_command (variable_assignment name: (variable_name) @name) @definition.constant))
(variable_assignment name: (variable_name) @bound)
(command name: (command_name (word) @name)) @reference.call
