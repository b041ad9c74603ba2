"""The other side of the task queue: claims tasks, has a model answer them, checks the answers and hands them in.

`prompts` says what the model is told, `answers` what of its answer is taken, `checkout` what it may look at; `work` does one
task, `running` many. It knows the queue by its client and the tasks by their contracts, and nothing else of the service.
"""
